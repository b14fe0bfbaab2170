#include "api/params/params.h"

#include "api/params/legacy.h"
#include "api/parsed.h"

struct reading {
    struct od_call *call;
    od_ctx *cx;
    yyjson_val *object;
    const struct od_params_spec *spec;
    struct od_expr_env env;
    const struct od_expr *parsed[OD_PARAMS_MAX]; // NULL where there is no expression
};

static bool has(const struct reading *r, const char *name)
{
    return od_wire_member(r->object, name) != NULL;
}

static void list_name(const struct reading *r, struct od_buf *list, const char *name)
{
    if (name != NULL && has(r, name)) {
        od_buf_printf(list, "%s%s", list->len > 0 ? ", " : "", name);
    }
}

static od_str list_expressions(const struct reading *r)
{
    struct od_buf list = {.arena = r->cx->arena};
    for (size_t i = 0; i < r->spec->count; i++) {
        list_name(r, &list, r->spec->rows[i].expression);
    }
    return od_buf_str(&list);
}

static od_str list_legacy(const struct reading *r)
{
    struct od_buf list = {.arena = r->cx->arena};
    for (size_t i = 0; i < r->spec->count; i++) {
        const struct od_params_row *row = &r->spec->rows[i];
        list_name(r, &list, row->legacy);
        bool tests = row->kind == OD_EXPR_FILTER || row->kind == OD_EXPR_CONDITION;
        if (tests && row->legacy != NULL) {
            list_name(r, &list, "ConditionalOperator");
        }
    }
    return od_buf_str(&list);
}

od_status od_params_mixed(od_ctx *cx, od_str legacy, od_str expressions)
{
    return OD_FAIL(cx, OD_VALIDATION_ENVELOPED,
                   "Can not use both expression and non-expression parameters in the same request: "
                   "Non-expression parameters: {%.*s} Expression parameters: {%.*s}",
                   OD_STR_ARG(legacy), OD_STR_ARG(expressions));
}

static bool could_use_values(const struct reading *r)
{
    for (size_t i = 0; i < r->spec->count; i++) {
        const struct od_params_row *row = &r->spec->rows[i];
        if (row->kind != OD_EXPR_PROJECTION && has(r, row->expression)) {
            return true;
        }
    }
    return false;
}

static od_status check_together(const struct reading *r, bool has_expressions)
{
    if (has_expressions) {
        od_str legacy = list_legacy(r);
        if (legacy.len > 0) {
            return od_params_mixed(r->cx, legacy, list_expressions(r));
        }
    } else if (has(r, "ExpressionAttributeNames")) {
        return OD_FAIL(r->cx, OD_VALIDATION_ENVELOPED,
                       "ExpressionAttributeNames can only be specified when using expressions");
    }
    if (r->spec->unusable_values == NULL || !has(r, "ExpressionAttributeValues") ||
        could_use_values(r)) {
        return OD_OK;
    }
    return OD_FAIL(r->cx, OD_VALIDATION_ENVELOPED,
                   "ExpressionAttributeValues can only be specified when using expressions: %s",
                   r->spec->unusable_values);
}

// --- Expressions --------------------------------------------------------------------------------

static od_status parse_all(struct reading *r)
{
    for (size_t i = 0; i < r->spec->count; i++) {
        const struct od_params_row *row = &r->spec->rows[i];
        if (!has(r, row->expression)) {
            continue;
        }
        od_str text = od_wire_str(r->object, row->expression);
        OD_TRY(od_parsed_get(r->call, row->kind, text, &r->parsed[i]));
    }
    return OD_OK;
}

static od_status bind_key_condition(struct reading *r, const struct od_expr *expr,
                                    struct od_params *out)
{
    struct od_key_condition *condition = od_new(r->cx->arena, struct od_key_condition);
    out->key_condition = condition;
    return od_key_condition_bind(r->cx, expr, &r->env, condition);
}

static od_status bind_projection(struct reading *r, const struct od_expr *expr,
                                 struct od_params *out)
{
    struct od_projection *projection = od_new(r->cx->arena, struct od_projection);
    out->projection = projection;
    return od_projection_bind(r->cx, expr, &r->env, projection);
}

static od_status bind_one(struct reading *r, enum od_expr_kind kind, const struct od_expr *expr,
                          struct od_params *out)
{
    switch (kind) {
    case OD_EXPR_UPDATE:
        return od_update_bind(r->cx, expr, &r->env, &out->update);
    case OD_EXPR_CONDITION:
    case OD_EXPR_FILTER:
        return od_condition_bind(r->cx, expr, &r->env, &out->condition);
    case OD_EXPR_KEY_CONDITION:
        return bind_key_condition(r, expr, out);
    case OD_EXPR_PROJECTION:
        break;
    }
    return bind_projection(r, expr, out);
}

static od_status bind_all(struct reading *r, struct od_params *out)
{
    for (size_t i = 0; i < r->spec->count; i++) {
        if (r->parsed[i] == NULL) {
            continue;
        }
        OD_TRY(bind_one(r, r->spec->rows[i].kind, r->parsed[i], out));
    }
    return OD_OK;
}

static od_status check_unused(struct reading *r)
{
    od_status status = od_expr_check_unused(r->cx, &r->env);
    if (status != OD_OK && r->call->op->envelope == OD_ENVELOPE_UNUSED) {
        return od_api_envelope(r->cx, status);
    }
    return status;
}

static od_status read_env(struct reading *r)
{
    bool takes_values = r->spec->unusable_values != NULL;
    return takes_values ? od_wire_env(r->cx, r->object, &r->env)
                        : od_wire_names(r->cx, r->object, &r->env);
}

static size_t count_value_bytes(const struct reading *r)
{
    size_t bytes = 0;
    for (size_t i = 0; i < r->env.value_count; i++) {
        bytes += od_value_size(r->env.values[i].value);
    }
    return bytes;
}

static od_status read_expressions(struct reading *r, struct od_params *out)
{
    OD_TRY(read_env(r));
    out->value_bytes = count_value_bytes(r);
    OD_TRY(parse_all(r));
    OD_TRY(bind_all(r, out));
    return check_unused(r);
}

// --- Legacy parameters --------------------------------------------------------------------------

static od_status read_legacy_row(struct reading *r, const struct od_params_row *row,
                                 struct od_params *out)
{
    yyjson_val *given = od_wire_member(r->object, row->legacy);
    switch (row->kind) {
    case OD_EXPR_UPDATE:
        return od_legacy_update(r->cx, given, &out->update);
    case OD_EXPR_CONDITION:
        return od_legacy_expected(r->cx, given, r->object, &out->condition);
    case OD_EXPR_FILTER:
        out->filter_is_legacy = true;
        return od_legacy_filter(r->cx, given, r->object, &out->condition);
    case OD_EXPR_KEY_CONDITION:
        return od_legacy_key_condition(r->cx, given, r->object, &out->key_condition);
    case OD_EXPR_PROJECTION:
        break;
    }
    return od_legacy_projection(r->cx, given, &out->projection);
}

static od_status read_legacy(struct reading *r, struct od_params *out)
{
    for (size_t i = 0; i < r->spec->count; i++) {
        if (r->spec->rows[i].legacy != NULL) {
            OD_TRY(read_legacy_row(r, &r->spec->rows[i], out));
        }
    }
    return OD_OK;
}

od_status od_params_read(struct od_call *call, yyjson_val *object,
                         const struct od_params_spec *spec, struct od_params *out)
{
    struct reading r = {.call = call, .cx = &call->cx, .object = object, .spec = spec};
    bool has_expressions = false;
    for (size_t i = 0; i < spec->count; i++) {
        has_expressions = has_expressions || has(&r, spec->rows[i].expression);
    }
    OD_TRY(check_together(&r, has_expressions));
    return has_expressions ? read_expressions(&r, out) : read_legacy(&r, out);
}
