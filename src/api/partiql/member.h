// One PartiQL statement of a request: alone, in a batch or in a transaction.
#ifndef OD_API_PARTIQL_MEMBER_H
#define OD_API_PARTIQL_MEMBER_H

#include "api/api_internal.h"
#include "partiql/partiql.h"

struct od_member {
    od_str text;
    od_value *parameters;
    size_t parameter_count;
    struct od_statement statement;
    const struct od_table *table; // a reference; od_member_close gives it back
    bool returns_old;             // ReturnValuesOnConditionCheckFailure ALL_OLD
    bool consistent;
};

// Everything but the statement: the parameters' values are checked before any statement is read.
od_status od_member_read(od_ctx *cx, yyjson_val *json, struct od_member *out);
od_status od_member_parse(od_ctx *cx, struct od_member *member);

// Takes a reference to the table. Without one, the statement's own fault comes first.
od_status od_member_open(od_engine *engine, od_ctx *cx, struct od_member *member);
void od_member_close(struct od_member *member);

// Plans INSERT, UPDATE, DELETE or EXISTS of an open member.
od_status od_member_plan_write(od_ctx *cx, const struct od_member *member,
                               struct od_write_action *out);

uint64_t od_member_fingerprint(uint64_t seed, const struct od_member *member);

static inline bool od_member_is_read(const struct od_member *member)
{
    return member->statement.kind == OD_STATEMENT_SELECT;
}

// parameters.c: the member `Parameters`.
od_status od_parameters_read(od_ctx *cx, yyjson_val *list, struct od_member *out);

#endif
