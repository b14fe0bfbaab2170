#include "http/http_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_HEADERS = 16,
    HEAD_STEP = 4 * 1024,
    FIRST_BODY = 4 * 1024,
    // A chunk of one byte comes in six: a client that sends such is odd, one that sends more
    // framing than this is up to something.
    FRAMING_PER_BODY_BYTE = 8,
};

static const struct od_http_fault head_too_large = {400, "the headers are too large"};
static const struct od_http_fault too_many_headers = {400, "there are too many headers"};
static const struct od_http_fault host_not_once = {400, "there must be one Host header"};
static const struct od_http_fault host_is_none = {400, "the Host header names no host"};
static const struct od_http_fault coding_in_http_1_0 = {400, "HTTP/1.0 has no Transfer-Encoding"};
static const struct od_http_fault framing_too_large = {400, "the chunks' framing is too large"};
static const struct od_http_fault body_too_large = {413, "the body is too large"};
static const struct od_http_fault coding_unknown = {501, "Transfer-Encoding must be chunked"};
static const struct od_http_fault out_of_room = {503, "too many large requests at once"};
static const struct od_http_fault version_unknown = {505, "this server speaks HTTP/1.1"};

od_str od_http_header(const struct od_http_request *request, od_str name)
{
    for (size_t i = 0; i < request->header_count; i++) {
        const struct od_http_header *header = &request->headers[i];
        // The lengths first, here: a handler looks for several, and most are of other lengths.
        if (header->name.len == name.len && od_str_eq_nocase(header->name, name)) {
            return header->value;
        }
    }
    return (od_str){0};
}

static struct od_http_parser *parser_of(llhttp_t *llhttp)
{
    return llhttp->data;
}

// What a callback answers llhttp to end the parsing.
static int refuse(struct od_http_parser *parser, struct od_http_fault fault)
{
    parser->fault = fault;
    return -1;
}

// Texts come in as many pieces as there were reads, one after the other in parser->head.
static int extend(od_str *text, const char *at, size_t len)
{
    if (text->len == 0) {
        text->ptr = at;
    }
    text->len += len;
    return 0;
}

static int on_url(llhttp_t *llhttp, const char *at, size_t len)
{
    struct od_http_parser *parser = parser_of(llhttp);
    return extend(&parser->request.target, at, len);
}

static void grow_headers(struct od_http_parser *parser)
{
    size_t cap = parser->header_cap == 0 ? FIRST_HEADERS : parser->header_cap * 2;
    struct od_http_header *grown = od_new_array(parser->request.arena, struct od_http_header, cap);
    if (parser->header_cap > 0) {
        memcpy(grown, parser->headers, parser->header_cap * sizeof(*grown));
    }
    parser->headers = grown;
    parser->header_cap = cap;
    parser->request.headers = grown;
}

static struct od_http_header *last_header(struct od_http_parser *parser)
{
    return &parser->headers[parser->request.header_count - 1];
}

static int on_header_field(llhttp_t *llhttp, const char *at, size_t len)
{
    struct od_http_parser *parser = parser_of(llhttp);
    if (parser->head_done) {
        return 0; // a trailer, which nobody here asks for
    }
    if (!parser->name_open) {
        if (parser->request.header_count == OD_HTTP_MAX_HEADERS) {
            return refuse(parser, too_many_headers);
        }
        if (parser->request.header_count == parser->header_cap) {
            grow_headers(parser);
        }
        parser->request.header_count++;
        *last_header(parser) = (struct od_http_header){.value = OD_STR("")};
        parser->name_open = true;
    }
    return extend(&last_header(parser)->name, at, len);
}

static int on_header_field_complete(llhttp_t *llhttp)
{
    parser_of(llhttp)->name_open = false;
    return 0;
}

static int on_header_value(llhttp_t *llhttp, const char *at, size_t len)
{
    struct od_http_parser *parser = parser_of(llhttp);
    if (parser->head_done || len == 0) {
        return 0;
    }
    return extend(&last_header(parser)->value, at, len);
}

static od_str without_trailing_blanks(od_str s)
{
    while (s.len > 0 && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\t')) {
        s.len--;
    }
    return s;
}

enum known { HEADER_OTHER, HEADER_HOST, HEADER_EXPECT, HEADER_CODING };

// The lengths differ, and most names have none of them.
static enum known header_of(od_str name)
{
    switch (name.len) {
    case sizeof("Host") - 1:
        return od_str_eq_nocase(name, OD_STR("Host")) ? HEADER_HOST : HEADER_OTHER;
    case sizeof("Expect") - 1:
        return od_str_eq_nocase(name, OD_STR("Expect")) ? HEADER_EXPECT : HEADER_OTHER;
    case sizeof("Transfer-Encoding") - 1:
        return od_str_eq_nocase(name, OD_STR("Transfer-Encoding")) ? HEADER_CODING : HEADER_OTHER;
    default:
        return HEADER_OTHER;
    }
}

// Whether each byte may stand in a host and its port. Answers tell a client the host it asked.
static bool is_host(od_str value)
{
    static const char others[] = "-._~!$&'()*+,;=:%[]";
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        bool is_digit = c >= '0' && c <= '9';
        if (!is_letter && !is_digit && memchr(others, c, sizeof(others) - 1) == NULL) {
            return false;
        }
    }
    return true;
}

// Looks once at each header for what decides on the framing and on the request as a whole.
static const struct od_http_fault *check_headers(struct od_http_parser *parser)
{
    size_t hosts = 0;
    for (size_t i = 0; i < parser->request.header_count; i++) {
        struct od_http_header *header = &parser->headers[i];
        header->value = without_trailing_blanks(header->value);
        enum known known = header_of(header->name);
        if (known == HEADER_HOST) {
            hosts++;
            if (!is_host(header->value)) {
                return &host_is_none;
            }
        } else if (known == HEADER_EXPECT) {
            parser->expects_continue = od_str_eq_nocase(header->value, OD_STR("100-continue"));
        } else if (known == HEADER_CODING && !od_str_eq_nocase(header->value, OD_STR("chunked"))) {
            return &coding_unknown;
        }
    }
    bool one_needed = parser->llhttp.http_minor == 1;
    return hosts > 1 || (one_needed && hosts == 0) ? &host_not_once : NULL;
}

static const struct od_http_fault *check_head(struct od_http_parser *parser)
{
    const llhttp_t *llhttp = &parser->llhttp;
    if (llhttp->http_major != 1 || llhttp->http_minor > 1) {
        return &version_unknown;
    }
    const struct od_http_fault *fault = check_headers(parser);
    if (fault != NULL) {
        return fault;
    }
    if (llhttp->http_minor == 0) {
        parser->expects_continue = false; // it knows no 100
        if ((llhttp->flags & F_TRANSFER_ENCODING) != 0) {
            return &coding_in_http_1_0;
        }
    }
    bool too_large = (llhttp->flags & F_CONTENT_LENGTH) != 0 &&
                     llhttp->content_length > parser->limits->body_bytes;
    return too_large ? &body_too_large : NULL;
}

static int on_headers_complete(llhttp_t *llhttp)
{
    struct od_http_parser *parser = parser_of(llhttp);
    const struct od_http_fault *fault = check_head(parser);
    if (fault != NULL) {
        return refuse(parser, *fault);
    }
    parser->head_done = true;
    parser->request.method =
        od_cstr(llhttp_method_name((llhttp_method_t)llhttp_get_method(llhttp)));
    bool has_body = (llhttp->flags & F_CHUNKED) != 0 || llhttp->content_length > 0;
    return has_body ? HPE_PAUSED : 0;
}

// Takes or gives back room among the bodies of all connections.
static bool take_room(struct od_http_parser *parser, size_t size)
{
    size_t limit = parser->limits->all_body_bytes;
    size_t before = atomic_fetch_add_explicit(parser->all_bodies, size, memory_order_relaxed);
    if (limit == 0 || (before <= limit && size <= limit - before)) {
        return true;
    }
    atomic_fetch_sub_explicit(parser->all_bodies, size, memory_order_relaxed);
    return false;
}

static void give_room(struct od_http_parser *parser, size_t size)
{
    atomic_fetch_sub_explicit(parser->all_bodies, size, memory_order_relaxed);
}

static void grow_in_arena(struct od_http_parser *parser, size_t cap)
{
    struct od_http_body *body = &parser->body;
    body->ptr = od_arena_grow(parser->request.arena, body->ptr, body->cap, cap);
    body->cap = cap;
}

static bool grow_on_heap(struct od_http_parser *parser, size_t cap)
{
    struct od_http_body *body = &parser->body;
    size_t old_cap = body->on_heap ? body->cap : 0;
    if (!take_room(parser, cap - old_cap)) {
        return false;
    }
    char *grown = realloc(body->on_heap ? body->ptr : NULL, cap);
    if (grown == NULL) {
        give_room(parser, cap - old_cap);
        return false;
    }
    if (!body->on_heap && body->len > 0) {
        memcpy(grown, body->ptr, body->len);
    }
    *body = (struct od_http_body){.ptr = grown, .len = body->len, .cap = cap, .on_heap = true};
    return true;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

// Makes room for `need` bytes in all. It grows with what has come: what Content-Length promises
// counts up to OD_HTTP_BODY_IN_ARENA, and as the most that there will be.
static bool grow_body(struct od_http_parser *parser, size_t need)
{
    bool length_known = (parser->llhttp.flags & F_CHUNKED) == 0;
    // llhttp has taken the bytes at hand off content_length.
    size_t most =
        length_known ? need + (size_t)parser->llhttp.content_length : parser->limits->body_bytes;
    size_t step = length_known ? OD_HTTP_BODY_IN_ARENA : FIRST_BODY;
    size_t cap = min_size(most, max_size(step, need * 2));
    if (cap <= OD_HTTP_BODY_IN_ARENA) {
        grow_in_arena(parser, cap);
        return true;
    }
    return grow_on_heap(parser, cap);
}

static int on_body(llhttp_t *llhttp, const char *at, size_t len)
{
    struct od_http_parser *parser = parser_of(llhttp);
    struct od_http_body *body = &parser->body;
    if (len > parser->limits->body_bytes - body->len) {
        return refuse(parser, body_too_large);
    }
    if (parser->request.refused) {
        body->len += len;
        return 0;
    }
    if (len > body->cap - body->len && !grow_body(parser, body->len + len)) {
        return refuse(parser, out_of_room);
    }
    memcpy(body->ptr + body->len, at, len);
    body->len += len;
    return 0;
}

static int on_message_complete(llhttp_t *llhttp)
{
    struct od_http_parser *parser = parser_of(llhttp);
    parser->whole = true;
    if (!parser->request.refused) {
        parser->request.body = (od_str){parser->body.ptr, parser->body.len};
    }
    // After a CONNECT the client would speak another protocol.
    parser->keep_alive =
        llhttp_should_keep_alive(llhttp) != 0 && llhttp_get_method(llhttp) != HTTP_CONNECT;
    return HPE_PAUSED;
}

static const llhttp_settings_t settings = {
    .on_url = on_url,
    .on_header_field = on_header_field,
    .on_header_field_complete = on_header_field_complete,
    .on_header_value = on_header_value,
    .on_headers_complete = on_headers_complete,
    .on_body = on_body,
    .on_message_complete = on_message_complete,
};

void od_http_parser_init(struct od_http_parser *parser, const struct od_http_limits *limits,
                         _Atomic size_t *all_bodies)
{
    *parser = (struct od_http_parser){.limits = limits, .all_bodies = all_bodies};
    llhttp_init(&parser->llhttp, HTTP_REQUEST, &settings);
    parser->llhttp.data = parser;
}

void od_http_parser_begin(struct od_http_parser *parser, od_arena *arena)
{
    parser->request = (struct od_http_request){.arena = arena};
    // In front of the head, so that a request that comes slowly uses no more than a page.
    grow_headers(parser);
}

static enum od_http_event fail(struct od_http_parser *parser, struct od_http_fault fault)
{
    parser->fault = fault;
    return OD_HTTP_BAD;
}

// After a part of the request.
static enum od_http_event check_more(struct od_http_parser *parser)
{
    if (!parser->head_done) {
        bool full = parser->head_bytes == parser->limits->header_bytes;
        return full ? fail(parser, head_too_large) : OD_HTTP_MORE;
    }
    size_t framing = parser->rest_bytes - parser->body.len;
    size_t most = parser->limits->header_bytes + FRAMING_PER_BODY_BYTE * parser->body.len;
    return framing > most ? fail(parser, framing_too_large) : OD_HTTP_MORE;
}

static enum od_http_event check_stop(struct od_http_parser *parser, llhttp_errno_t err)
{
    if (err == HPE_PAUSED) {
        return parser->whole ? OD_HTTP_WHOLE : OD_HTTP_HEADERS;
    }
    if (parser->fault.status != 0) {
        return OD_HTTP_BAD;
    }
    if (err == HPE_PAUSED_H2_UPGRADE) {
        return fail(parser, version_unknown);
    }
    const char *reason = llhttp_get_error_reason(&parser->llhttp);
    return fail(parser, (struct od_http_fault){400, reason});
}

static void move_text(od_str *text, const char *old, char *new)
{
    if (text->len > 0) {
        text->ptr = new + (text->ptr - old);
    }
}

// Texts point into the head, so they move with it. Usual heads fit into the first step.
static void grow_head(struct od_http_parser *parser, size_t need)
{
    size_t cap = max_size(HEAD_STEP, need * 2);
    char *head = od_arena_bytes(parser->request.arena, cap);
    if (parser->head_bytes > 0) {
        memcpy(head, parser->head, parser->head_bytes);
    }
    move_text(&parser->request.target, parser->head, head);
    for (size_t i = 0; i < parser->request.header_count; i++) {
        move_text(&parser->headers[i].name, parser->head, head);
        move_text(&parser->headers[i].value, parser->head, head);
    }
    parser->head = head;
    parser->head_cap = cap;
}

// The bytes given are gone before the handler is done with the request; so the head is copied, as
// a whole, and parsed where it then lies. What is copied of the body is in vain, but little.
static od_str copy_of_head(struct od_http_parser *parser, od_str bytes)
{
    size_t most = min_size(HEAD_STEP, parser->limits->header_bytes - parser->head_bytes);
    size_t size = min_size(bytes.len, most);
    if (size > parser->head_cap - parser->head_bytes) {
        grow_head(parser, parser->head_bytes + size);
    }
    char *copy = parser->head + parser->head_bytes;
    memcpy(copy, bytes.ptr, size);
    return (od_str){copy, size};
}

enum od_http_event od_http_parser_feed(struct od_http_parser *parser, od_str bytes, size_t *used)
{
    bool in_head = !parser->head_done;
    od_str part = in_head ? copy_of_head(parser, bytes) : bytes;
    llhttp_resume(&parser->llhttp);
    llhttp_errno_t err = llhttp_execute(&parser->llhttp, part.ptr, part.len);
    *used = err == HPE_OK ? part.len : (size_t)(llhttp_get_error_pos(&parser->llhttp) - part.ptr);
    if (in_head) {
        parser->head_bytes += *used;
    } else {
        parser->rest_bytes += *used;
    }
    return err == HPE_OK ? check_more(parser) : check_stop(parser, err);
}

void od_http_parser_end(struct od_http_parser *parser)
{
    if (parser->body.on_heap) {
        give_room(parser, parser->body.cap);
        free(parser->body.ptr);
    }
    llhttp_reset(&parser->llhttp);
    *parser = (struct od_http_parser){
        .llhttp = parser->llhttp,
        .limits = parser->limits,
        .all_bodies = parser->all_bodies,
    };
}
