#include "client/http/http.h"

#include <libdeflate.h>
#include <string.h>

// More is allocated when it comes, and not because a header says so.
enum { MAX_RESERVED_BYTES = 16 * 1024 * 1024, MAX_REQUEST_ID_LEN = 256, MAX_DATE_LEN = 64 };

typedef void take_fn(struct od_intake *intake, od_str value);

static void take_request_id(struct od_intake *intake, od_str value)
{
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < ' ' || value.ptr[i] > '~') {
            return;
        }
    }
    if (value.len <= MAX_REQUEST_ID_LEN) {
        intake->request_id = od_arena_copy(intake->body.arena, value);
    }
}

static void take_date(struct od_intake *intake, od_str value)
{
    if (value.len <= MAX_DATE_LEN) {
        intake->date = od_arena_copy(intake->body.arena, value);
    }
}

static void take_crc(struct od_intake *intake, od_str value)
{
    intake->has_crc = od_str_to_u64(value, &intake->crc);
}

static void take_length(struct od_intake *intake, od_str value)
{
    uint64_t len = 0;
    struct od_buf *body = &intake->body;
    if (od_str_to_u64(value, &len) && len <= MAX_RESERVED_BYTES && body->ptr == NULL) {
        body->cap = (size_t)len + 1;
        body->ptr = od_arena_bytes(body->arena, body->cap);
    }
}

static const struct {
    od_str name;
    take_fn *take;
} headers[] = {
    {OD_STR_INIT("x-amzn-requestid"), take_request_id},
    {OD_STR_INIT("date"), take_date},
    {OD_STR_INIT("x-amz-crc32"), take_crc},
    {OD_STR_INIT("content-length"), take_length},
};

size_t od_intake_header(char *text, size_t size, size_t count, void *intake)
{
    const od_str line = {text, size * count};
    const char *colon = memchr(line.ptr, ':', line.len);
    if (colon == NULL) {
        return line.len;
    }
    const od_str name = {line.ptr, (size_t)(colon - line.ptr)};
    for (size_t i = 0; i < OD_COUNT(headers); i++) {
        if (od_str_eq_nocase(name, headers[i].name)) {
            headers[i].take(intake, od_str_trim(od_str_skip(line, name.len + 1)));
        }
    }
    return line.len;
}

size_t od_intake_body(char *bytes, size_t size, size_t count, void *intake)
{
    struct od_intake *in = intake;
    const od_str part = {bytes, size * count};
    if (in->too_large || part.len > OD_HTTP_MAX_ANSWER_BYTES - in->body.len) {
        in->too_large = true;
        return 0; // ends the transfer
    }
    od_buf_put(&in->body, part);
    return part.len;
}

bool od_intake_is_sound(const struct od_intake *intake)
{
    return !intake->has_crc ||
           intake->crc == libdeflate_crc32(0, intake->body.ptr, intake->body.len);
}
