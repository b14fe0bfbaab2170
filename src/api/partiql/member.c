#include "api/partiql/member.h"

od_status od_member_read(od_ctx *cx, yyjson_val *json, struct od_member *out)
{
    out->text = od_wire_str(json, "Statement");
    out->consistent = od_wire_bool(json, "ConsistentRead", false);
    out->returns_old = od_api_says(json, "ReturnValuesOnConditionCheckFailure", OD_STR("ALL_OLD"));
    return od_parameters_read(cx, od_wire_member(json, "Parameters"), out);
}

od_status od_member_parse(od_ctx *cx, struct od_member *member)
{
    return od_partiql_parse(cx, member->text, member->parameters, member->parameter_count,
                            &member->statement);
}

od_status od_member_open(od_engine *engine, od_ctx *cx, struct od_member *member)
{
    od_str table = member->statement.table;
    od_status status = od_table_acquire(engine, cx, table, &member->table);
    if (status == OD_OK) {
        return OD_OK;
    }
    const od_ctx fault = *cx;
    OD_TRY(od_partiql_check(cx, &member->statement));
    *cx = fault;
    return status;
}

void od_member_close(struct od_member *member)
{
    od_table_release(member->table);
    member->table = NULL;
}

od_status od_member_plan_write(od_ctx *cx, const struct od_member *member,
                               struct od_write_action *out)
{
    OD_TRY(od_partiql_plan_write(cx, &member->statement, member->table, out));
    out->return_old_on_failure = member->returns_old;
    return OD_OK;
}

uint64_t od_member_fingerprint(uint64_t seed, const struct od_member *member)
{
    return od_partiql_fingerprint(seed, member->text, member->parameters, member->parameter_count);
}
