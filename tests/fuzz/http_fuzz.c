// Any bytes as a connection's: what requests they make must not depend on the pieces that they
// come in, and what is refused must be refused the same way.
#include "base/buf.h"
#include "http/http_internal.h"

#include <assert.h>

enum { LARGEST_PIECE = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct od_http_limits limits = {.header_bytes = 512, .body_bytes = 1024};
static _Atomic size_t all_bodies;

static void describe(struct od_buf *out, const struct od_http_parser *parser)
{
    const struct od_http_request *request = &parser->request;
    assert(parser->head_bytes <= limits.header_bytes);
    assert(request->body.len <= limits.body_bytes);
    assert(request->header_count <= OD_HTTP_MAX_HEADERS);
    od_buf_printf(out, "%.*s %.*s", OD_STR_ARG(request->method), OD_STR_ARG(request->target));
    for (size_t i = 0; i < request->header_count; i++) {
        assert(request->headers[i].name.len > 0 && request->headers[i].value.ptr != NULL);
        od_buf_put(out, request->headers[i].name);
        od_buf_put(out, request->headers[i].value);
    }
    od_buf_printf(out, "%zu%d%d", request->body.len, parser->keep_alive, parser->expects_continue);
    od_buf_put(out, request->body);
}

// The sizes of the pieces go round and round through `sizes`. Each piece is copied to where the
// sanitizer sees a read past its end.
static od_str parse(od_arena *arena, od_str text, od_str sizes, struct od_http_fault *fault)
{
    struct od_buf out = {.arena = arena};
    struct od_http_parser parser;
    od_http_parser_init(&parser, &limits, &all_bodies);
    od_http_parser_begin(&parser, arena);
    enum od_http_event event = OD_HTTP_MORE;
    for (size_t i = 0; text.len > 0 && event != OD_HTTP_BAD; i++) {
        size_t want = sizes.len == 0 ? text.len
                                     : (unsigned char)sizes.ptr[i % sizes.len] % LARGEST_PIECE + 1u;
        od_str piece = od_arena_copy(arena, (od_str){text.ptr, want < text.len ? want : text.len});
        size_t used = 0;
        event = od_http_parser_feed(&parser, piece, &used);
        assert(used <= piece.len);
        assert(used > 0 || event == OD_HTTP_BAD);
        text = od_str_skip(text, used);
        if (event == OD_HTTP_WHOLE) {
            describe(&out, &parser);
            od_http_parser_end(&parser);
            od_http_parser_begin(&parser, arena);
        }
    }
    *fault = parser.fault;
    od_http_parser_end(&parser);
    return od_buf_str(&out);
}

// The one thing that is looked at once for each piece.
static bool is_of_framing(struct od_http_fault fault)
{
    return fault.text != NULL && od_str_contains(od_cstr(fault.text), OD_STR("framing"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_str text = {(const char *)data, size};
    // The last bytes are the sizes of the pieces.
    size_t size_count = size < 4 ? size : 4;
    od_str sizes = od_str_skip(text, size - size_count);
    od_arena *arena = od_arena_create();
    struct od_http_fault fault = {0};
    struct od_http_fault again_fault = {0};
    od_str requests = parse(arena, text, (od_str){0}, &fault);
    od_str again = parse(arena, text, sizes, &again_fault);
    if (!is_of_framing(fault) && !is_of_framing(again_fault)) {
        assert(od_str_eq(requests, again));
        assert(fault.status == again_fault.status);
    }
    assert(all_bodies == 0);
    od_arena_destroy(arena);
    return 0;
}
