#include "wire/wire.h"

#include "model/cancellation.h"

#include <assert.h>

// What an error body holds besides __type.
struct error_row {
    bool capital; // "Message", not "message"
    void (*put_detail)(struct od_buf *out, const void *detail);
};

static void put_old_item(struct od_buf *out, const void *detail)
{
    const od_value *map = detail;
    od_json_member(out, "Item");
    od_json_map(out, *map);
}

// A hundred old items, of numbers that are far longer as text, would make GBs: the last reasons
// then go without theirs.
enum { MAX_ITEMS_BYTES = 16 * 1024 * 1024 };

static void put_reason(struct od_buf *out, const struct od_cancel_reason *reason)
{
    od_buf_put_byte(out, '{');
    od_json_member(out, "Code");
    od_json_str(out, reason->code);
    if (reason->message.len > 0) {
        od_json_member(out, "Message");
        od_json_str(out, reason->message);
    }
    if (od_value_exists(reason->item) && out->len <= MAX_ITEMS_BYTES) {
        put_old_item(out, &reason->item);
    }
    od_buf_put_byte(out, '}');
}

static void put_reasons(struct od_buf *out, const void *detail)
{
    const struct od_cancellation *cancellation = detail;
    od_json_member(out, "CancellationReasons");
    od_buf_put_byte(out, '[');
    for (size_t i = 0; i < cancellation->count; i++) {
        od_buf_put(out, i > 0 ? OD_STR(",") : OD_STR(""));
        put_reason(out, &cancellation->reasons[i]);
    }
    od_buf_put_byte(out, ']');
}

static struct error_row row_of(od_status status, bool has_detail)
{
    switch (status) {
    case OD_SERIALIZATION:
    case OD_IDEMPOTENT_MISMATCH:
    case OD_TRANSACTION_IN_PROGRESS:
    case OD_ACCESS_DENIED:
        return (struct error_row){.capital = true};
    case OD_TRANSACTION_CANCELED:
        return (struct error_row){true, has_detail ? put_reasons : NULL};
    case OD_CONDITION_FAILED:
        return (struct error_row){has_detail, has_detail ? put_old_item : NULL};
    default:
        return (struct error_row){0};
    }
}

// What went wrong inside is for our log alone, but for what its reader can help: a full disk.
static od_str message_of(od_status status, const od_ctx *cx)
{
    if (od_status_http(status) >= 500 && status != OD_STORE_FULL) {
        return OD_STR("Internal server error");
    }
    return status == OD_UNKNOWN_OP ? OD_STR("") : cx->error;
}

static void put_message(struct od_buf *out, od_str message, bool capital, bool enveloped)
{
    if (message.len == 0) {
        return;
    }
    od_json_member(out, capital ? "Message" : "message");
    if (!enveloped) {
        od_json_str(out, message);
        return;
    }
    struct od_buf text = {.arena = out->arena};
    od_buf_put(&text, OD_STR("1 validation error detected: "));
    od_buf_put(&text, message);
    od_json_str(out, od_buf_str(&text));
}

void od_wire_error(struct od_buf *out, od_status status, const od_ctx *cx, bool enveloped)
{
    assert(status != OD_OK);
    struct error_row row = row_of(status, cx->error_detail != NULL);
    od_json_raw(out, "{");
    od_json_member(out, "__type");
    od_json_str(out, od_cstr(od_status_type(status)));
    if (row.put_detail != NULL) {
        row.put_detail(out, cx->error_detail);
    }
    put_message(out, message_of(status, cx), row.capital,
                enveloped && status == OD_VALIDATION_ENVELOPED);
    od_json_raw(out, "}");
}
