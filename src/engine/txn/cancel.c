#include "engine/txn/cancel.h"

#include "base/buf.h"

static const struct {
    od_status status;
    od_str code;
} codes[] = {
    {OD_CONDITION_FAILED, OD_STR_INIT("ConditionalCheckFailed")},
    {OD_COLLECTION_TOO_LARGE, OD_STR_INIT("ItemCollectionSizeLimitExceeded")},
    {OD_DUPLICATE_ITEM, OD_STR_INIT("DuplicateItem")},
};

static od_str code_of(od_status status)
{
    for (size_t i = 0; i < OD_COUNT(codes); i++) {
        if (codes[i].status == status) {
            return codes[i].code;
        }
    }
    return OD_STR("ValidationError");
}

void od_cancel_init(struct od_cancel *cancel, od_arena *arena, size_t count)
{
    *cancel = (struct od_cancel){.reasons = od_new_array(arena, struct od_cancel_reason, count),
                                 .count = count};
    for (size_t i = 0; i < count; i++) {
        cancel->reasons[i].code = OD_STR("None");
    }
}

void od_cancel_add(struct od_cancel *cancel, size_t i, od_status status, od_ctx *cx)
{
    od_str code = code_of(status);
    bool is_validation = od_str_eq(code, OD_STR("ValidationError"));
    if (is_validation && cancel->has_validation) {
        return;
    }
    cancel->has_validation = cancel->has_validation || is_validation;
    cancel->any = true;
    cancel->reasons[i] = (struct od_cancel_reason){.code = code, .message = cx->error};
    if (status == OD_CONDITION_FAILED && cx->error_detail != NULL) {
        cancel->reasons[i].item = *(const od_value *)cx->error_detail;
    }
    cx->error_detail = NULL;
}

od_status od_cancel_status(const struct od_cancel *cancel, od_ctx *cx)
{
    if (!cancel->any) {
        return OD_OK;
    }
    struct od_buf list = {.arena = cx->arena};
    for (size_t i = 0; i < cancel->count; i++) {
        od_buf_put(&list, i > 0 ? OD_STR(", ") : OD_STR(""));
        od_buf_put(&list, cancel->reasons[i].code);
    }
    od_status status =
        OD_FAIL(cx, OD_TRANSACTION_CANCELED,
                "Transaction cancelled, please refer cancellation reasons for specific "
                "reasons [%.*s]",
                OD_STR_ARG(od_buf_str(&list)));
    struct od_cancellation *detail = od_new(cx->arena, struct od_cancellation);
    *detail = (struct od_cancellation){.reasons = cancel->reasons, .count = cancel->count};
    cx->error_detail = detail;
    return status;
}
