#include "http/http_internal.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/date.h"
#include "base/log.h"

#include <assert.h>
#include <string.h>

// Room for a usual head, so that it does not grow while it is written.
enum { HEAD_SIZE = 256 };

static const struct {
    int status;
    od_str line;
} status_lines[] = {
    {200, OD_STR_INIT("HTTP/1.1 200 OK\r\n")},
    {204, OD_STR_INIT("HTTP/1.1 204 No Content\r\n")},
    {304, OD_STR_INIT("HTTP/1.1 304 Not Modified\r\n")},
    {400, OD_STR_INIT("HTTP/1.1 400 Bad Request\r\n")},
    {403, OD_STR_INIT("HTTP/1.1 403 Forbidden\r\n")},
    {404, OD_STR_INIT("HTTP/1.1 404 Not Found\r\n")},
    {405, OD_STR_INIT("HTTP/1.1 405 Method Not Allowed\r\n")},
    {408, OD_STR_INIT("HTTP/1.1 408 Request Timeout\r\n")},
    {413, OD_STR_INIT("HTTP/1.1 413 Content Too Large\r\n")},
    {500, OD_STR_INIT("HTTP/1.1 500 Internal Server Error\r\n")},
    {501, OD_STR_INIT("HTTP/1.1 501 Not Implemented\r\n")},
    {503, OD_STR_INIT("HTTP/1.1 503 Service Unavailable\r\n")},
    {505, OD_STR_INIT("HTTP/1.1 505 HTTP Version Not Supported\r\n")},
};

// od_buf_put where the compiler sees it, so that what is short and known becomes a few moves.
static inline void put(struct od_buf *buf, od_str s)
{
    if (s.len > buf->cap - buf->len) {
        (void)od_buf_reserve(buf, s.len);
    }
    if (s.len > 0) {
        memcpy(buf->ptr + buf->len, s.ptr, s.len);
        buf->len += s.len;
    }
}

static void put_status_line(struct od_buf *buf, int status)
{
    for (size_t i = 0; i < OD_COUNT(status_lines); i++) {
        if (status_lines[i].status == status) {
            put(buf, status_lines[i].line);
            return;
        }
    }
    // The reason may be empty, its blank may not.
    put(buf, OD_STR("HTTP/1.1 "));
    od_buf_put_u64(buf, (uint64_t)status);
    put(buf, OD_STR(" \r\n"));
}

// Each thread that answers makes the text once a second.
static od_str date_now(void)
{
    static _Thread_local int64_t text_second = -1;
    static _Thread_local char text[OD_DATE_SIZE];
    static _Thread_local od_str date;
    int64_t now_ms = od_clock_ms();
    if (now_ms / 1000 != text_second) {
        date = od_date_http(text, now_ms);
        text_second = now_ms / 1000;
    }
    return date;
}

// Some byte of the eight is below ' '.
static uint64_t has_control(const char *eight)
{
    const uint64_t ones = UINT64_MAX / 0xff;
    uint64_t word = 0;
    memcpy(&word, eight, sizeof(word));
    return (word - ones * ' ') & ~word & (ones * 0x80);
}

// Eight bytes at a time: every header of every answer is looked at. The last eight may overlap
// those before them.
static bool has_control_byte(od_str s)
{
    uint64_t found = 0;
    if (s.len < 8) {
        for (size_t i = 0; i < s.len; i++) {
            found |= (unsigned char)s.ptr[i] < ' ';
        }
        return found != 0;
    }
    for (size_t i = 0; i + 8 <= s.len; i += 8) {
        found |= has_control(s.ptr + i);
    }
    return (found | has_control(s.ptr + s.len - 8)) != 0;
}

// Once, or a client that knows how to bring it about could fill the log.
static void log_left_out(void)
{
    static atomic_flag logged = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&logged)) {
        od_log(OD_LOG_ERROR, "an answer's header with a line break in it was left out");
    }
}

// A value that held a line break would let whoever chose it write headers, or a whole answer.
static void put_header(struct od_buf *buf, const struct od_http_header *header)
{
    if (has_control_byte(header->name) || has_control_byte(header->value)) {
        log_left_out();
        return;
    }
    put(buf, header->name);
    put(buf, OD_STR(": "));
    put(buf, header->value);
    put(buf, OD_STR("\r\n"));
}

static bool may_have_body(int status)
{
    return status != 204 && status != 304;
}

struct od_http_answer od_http_answer_make(od_arena *arena, const struct od_http_response *response,
                                          struct od_http_answer_options options)
{
    assert(response->status >= 200 && response->status <= 999);
    struct od_buf buf = {.arena = arena};
    (void)od_buf_reserve(&buf, HEAD_SIZE);
    put_status_line(&buf, response->status);
    for (size_t i = 0; i < response->header_count; i++) {
        put_header(&buf, &response->headers[i]);
    }
    bool has_body = may_have_body(response->status);
    if (has_body) {
        put(&buf, OD_STR("Content-Length: "));
        od_buf_put_u64(&buf, response->body.len);
        put(&buf, OD_STR("\r\n"));
    }
    put(&buf, OD_STR("Date: "));
    put(&buf, date_now());
    bool closes = options.close || response->close;
    put(&buf, closes ? OD_STR("\r\nConnection: close\r\n\r\n")
                     : OD_STR("\r\nConnection: keep-alive\r\n\r\n"));
    return (struct od_http_answer){
        .head = od_buf_str(&buf),
        .body = has_body && !options.head_only ? response->body : (od_str){0},
        .close = closes,
    };
}

struct od_http_answer od_http_answer_refusal(od_arena *arena, struct od_http_fault fault)
{
    static const struct od_http_header headers[] = {
        {OD_STR_INIT("Content-Type"), OD_STR_INIT("text/plain")},
        {OD_STR_INIT("Retry-After"), OD_STR_INIT("1")},
    };
    const struct od_http_response response = {
        .status = fault.status,
        .headers = headers,
        .header_count = fault.status == 503 ? 2 : 1,
        .body = od_arena_printf(arena, "%s\n", fault.text),
        .close = true,
    };
    return od_http_answer_make(arena, &response, (struct od_http_answer_options){0});
}
