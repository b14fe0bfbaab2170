// Requests from bytes, in pieces of every size: what comes out must not depend on the pieces.
#include "http_support.h"

#include "base/buf.h"

#include <string.h>

static struct od_http_limits limits;
static _Atomic size_t all_bodies;

static int set_up(void **state)
{
    (void)state;
    limits = (struct od_http_limits){.header_bytes = 16384, .body_bytes = 1048576};
    atomic_store(&all_bodies, 0);
    return 0;
}

static void describe_request(struct od_buf *out, const struct od_http_parser *parser)
{
    const struct od_http_request *request = &parser->request;
    od_buf_printf(out, "%.*s %.*s", OD_STR_ARG(request->method), OD_STR_ARG(request->target));
    for (size_t i = 0; i < request->header_count; i++) {
        const struct od_http_header *header = &request->headers[i];
        od_buf_printf(out, " %.*s=%.*s", OD_STR_ARG(header->name), OD_STR_ARG(header->value));
    }
    od_buf_printf(out, " [%.*s]%s\n", OD_STR_ARG(request->body),
                  parser->keep_alive ? "" : " close");
}

// Feeds all of `text` in pieces, and describes the requests in it up to the first fault.
static od_str parse_in_pieces(od_arena *arena, od_str text, size_t first, size_t others)
{
    struct od_buf out = {.arena = arena};
    struct od_http_parser parser;
    od_arena *own = od_arena_create();
    od_http_parser_init(&parser, &limits, &all_bodies);
    od_http_parser_begin(&parser, own);
    enum od_http_event event = OD_HTTP_MORE;
    size_t piece = first;
    while (text.len > 0 && event != OD_HTTP_BAD) {
        size_t used = 0;
        od_str part = {text.ptr, text.len < piece ? text.len : piece};
        event = od_http_parser_feed(&parser, part, &used);
        assert_true(used <= part.len);
        text = od_str_skip(text, used);
        piece = others;
        if (event == OD_HTTP_WHOLE) {
            describe_request(&out, &parser);
            od_http_parser_end(&parser);
            od_arena_reset(own);
            od_http_parser_begin(&parser, own);
        }
    }
    if (event == OD_HTTP_BAD) {
        od_buf_printf(&out, "%d %s\n", parser.fault.status, parser.fault.text);
    }
    od_http_parser_end(&parser);
    od_arena_destroy(own);
    assert_int_equal(atomic_load(&all_bodies), 0);
    return od_buf_str(&out);
}

// In one piece, byte by byte, and cut in two at every place.
static void check_parse(size_t row, od_str text, od_str want)
{
    od_arena *arena = od_arena_create();
    check_text(row, parse_in_pieces(arena, text, text.len, text.len), want);
    check_text(row, parse_in_pieces(arena, text, 1, 1), want);
    for (size_t cut = 1; cut < text.len; cut++) {
        od_arena_reset(arena);
        check_text(row, parse_in_pieces(arena, text, cut, text.len), want);
    }
    od_arena_destroy(arena);
}

struct row {
    od_str text;
    od_str want;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        check_parse(i, rows[i].text, rows[i].want);
    }
}

#define ROW(text, want)                      \
    {                                        \
        OD_STR_INIT(text), OD_STR_INIT(want) \
    }

static void malformed_requests_are_refused_wherever_they_are_cut(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("BREW / HTTP/1.1\r\n", "400 Invalid method encountered\n"),
        ROW("get / HTTP/1.1\r\n", "400 Invalid method encountered\n"),
        ROW("GET / HTTP/1.1\nHost: a\n\n", "400 Expected CRLF after version\n"),
        ROW("GET / HTTP/1.2\r\nHost: a\r\n\r\n", "400 Invalid HTTP version\n"),
        ROW("GET /\x80 HTTP/1.1\r\n\r\n", "400 Invalid char in url path\n"),
        ROW("GET / HTTP/1.1\r\nHost : a\r\n\r\n", "400 Invalid header token\n"),
        ROW("GET / HTTP/1.1\r\nHost: a\x01\r\n\r\n", "400 Invalid header value char\n"),
        ROW("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
            "400 Unexpected whitespace after header value\n"),
        ROW("\x16\x03\x01\x02", "400 Invalid method encountered\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc",
            "400 Invalid character in Content-Length\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "400 Content-Length overflow\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "400 Invalid character in chunk size\n"),
    };
    check_rows(rows, OD_COUNT(rows));
}

// A proxy that reads such a request otherwise than we do would let one client speak for another.
static void requests_whose_length_could_be_read_in_two_ways_are_refused(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            "400 Duplicate Content-Length\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n",
            "400 Content-Length can't be present with Transfer-Encoding\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n",
            "400 Transfer-Encoding can't be present with Content-Length\n"),
        ROW("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
            "400 HTTP/1.0 has no Transfer-Encoding\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
            "501 Transfer-Encoding must be chunked\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "501 Transfer-Encoding must be chunked\n"),
        ROW("GET / HTTP/1.1\r\n\r\n", "400 there must be one Host header\n"),
        ROW("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "400 there must be one Host header\n"),
        ROW("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "400 the Host header names no host\n"),
        ROW("GET / HTTP/1.1\r\nHost: \"a\"\r\n\r\n", "400 the Host header names no host\n"),
        ROW("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "400 the Host header names no host\n"),
        ROW("GET / HTTP/1.1\r\nHost: \xe9\r\n\r\n", "400 the Host header names no host\n"),
    };
    check_rows(rows, OD_COUNT(rows));
}

static void other_versions_of_http_are_refused(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("GET /\r\n\r\n", "505 this server speaks HTTP/1.1\n"),
        ROW("GET / HTTP/0.9\r\n\r\n", "505 this server speaks HTTP/1.1\n"),
        ROW("GET / HTTP/2.0\r\n\r\n", "505 this server speaks HTTP/1.1\n"),
        ROW("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 this server speaks HTTP/1.1\n"),
    };
    check_rows(rows, OD_COUNT(rows));
}

static void whole_requests_come_out_as_sent(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / Host=a []\n"),
        ROW("GET /a%20b?c=d#e HTTP/1.1\r\nHost:\r\nX:  b c \t\r\n\r\n",
            "GET /a%20b?c=d#e Host= X=b c []\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
            "POST / Host=a Content-Length=3 [abc]\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
            "POST / Host=a Content-Length=0 []\n"),
        // Neither length nor chunks: no body.
        ROW("POST / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST / Host=a []\nGET /b Host=a []\n"),
        ROW("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
            "3;ext=\"x\"\r\nabc\r\n00002\r\nde\r\n0\r\nTrailer: x\r\n\r\n",
            "PUT / Host=a Transfer-Encoding=Chunked [abcde]\n"),
        ROW("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "GET / Host=a Connection=close [] close\n"),
        ROW("GET / HTTP/1.0\r\n\r\n", "GET / [] close\n"),
        ROW("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / Connection=keep-alive []\n"),
        ROW("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:1 Host=a [] close\n"),
        // An offer to speak something else may be passed over.
        ROW("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
            "GET /b HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / Host=a Connection=Upgrade Upgrade=h2c []\nGET /b Host=a []\n"),
    };
    check_rows(rows, OD_COUNT(rows));
}

// A head of several steps is moved while it grows.
static void long_heads_come_out_as_sent_whatever_the_pieces(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 5, 100, 1000, 4095, 4096, 4097, 1 << 20};
    od_arena *arena = od_arena_create();
    struct od_buf text = {.arena = arena};
    struct od_buf want = {.arena = arena};
    od_buf_put(&text, OD_STR("GET /target HTTP/1.1\r\nHost: a\r\nEmpty:\r\n"));
    od_buf_put(&want, OD_STR("GET /target Host=a Empty="));
    for (size_t i = 0; i < 200; i++) {
        od_buf_printf(&text, "Name-%zu: value of many characters, number %zu\r\n", i, i);
        od_buf_printf(&want, " Name-%zu=value of many characters, number %zu", i, i);
    }
    od_buf_put(&text, OD_STR("\r\n"));
    od_buf_put(&want, OD_STR(" []\n"));
    assert_true(text.len > 8192 && text.len < limits.header_bytes);
    for (size_t i = 0; i < OD_COUNT(pieces); i++) {
        od_str got = parse_in_pieces(arena, od_buf_str(&text), pieces[i], pieces[i]);
        check_text(i, got, od_buf_str(&want));
    }
    od_arena_destroy(arena);
}

static void headers_are_found_whatever_the_case(void **state)
{
    (void)state;
    static const struct od_http_header headers[] = {
        {OD_STR_INIT("X-Amz-Target"), OD_STR_INIT("first")},
        {OD_STR_INIT("x-amz-target"), OD_STR_INIT("second")},
        {OD_STR_INIT("Empty"), OD_STR_INIT("")},
    };
    const struct od_http_request request = {.headers = headers, .header_count = 3};
    check_text(0, od_http_header(&request, OD_STR("x-amz-TARGET")), OD_STR("first"));
    assert_null(od_http_header(&request, OD_STR("X-Amz")).ptr);
    assert_non_null(od_http_header(&request, OD_STR("empty")).ptr);
}

static enum od_http_event feed_all(struct od_http_parser *parser, od_str text, size_t piece)
{
    enum od_http_event event = OD_HTTP_MORE;
    while (text.len > 0 && event != OD_HTTP_BAD && event != OD_HTTP_WHOLE) {
        size_t used = 0;
        event = od_http_parser_feed(parser, (od_str){text.ptr, text.len < piece ? text.len : piece},
                                    &used);
        text = od_str_skip(text, used);
    }
    return event;
}

// "GET / HTTP/1.1", Host, and a header that makes the head `size` bytes long.
static od_str head_of_size(od_arena *arena, size_t size)
{
    struct od_buf text = {.arena = arena};
    od_buf_put(&text, OD_STR("GET / HTTP/1.1\r\nHost: a\r\nX: "));
    while (text.len < size - 4) {
        od_buf_put_byte(&text, 'x');
    }
    od_buf_put(&text, OD_STR("\r\n\r\n"));
    return od_buf_str(&text);
}

static void a_head_may_be_as_large_as_its_limit_and_no_byte_larger(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 7, 4096, 1 << 20};
    od_arena *arena = od_arena_create();
    for (size_t i = 0; i < OD_COUNT(pieces); i++) {
        struct od_http_parser parser;
        od_arena *own = od_arena_create();
        od_http_parser_init(&parser, &limits, &all_bodies);
        od_http_parser_begin(&parser, own);
        od_str fits = head_of_size(arena, limits.header_bytes);
        check_row(i, feed_all(&parser, fits, pieces[i]) == OD_HTTP_WHOLE);
        od_http_parser_end(&parser);
        od_http_parser_begin(&parser, own);
        od_str larger = head_of_size(arena, limits.header_bytes + 1);
        check_row(i, feed_all(&parser, larger, pieces[i]) == OD_HTTP_BAD);
        check_row(i, parser.fault.status == 400);
        od_http_parser_end(&parser);
        od_arena_destroy(own);
    }
    od_arena_destroy(arena);
}

static void there_may_not_be_more_than_256_headers(void **state)
{
    (void)state;
    od_arena *arena = od_arena_create();
    for (size_t count = OD_HTTP_MAX_HEADERS; count <= OD_HTTP_MAX_HEADERS + 1; count++) {
        struct od_buf text = {.arena = arena};
        od_buf_put(&text, OD_STR("GET / HTTP/1.1\r\nHost: a\r\n"));
        for (size_t i = 1; i < count; i++) {
            od_buf_printf(&text, "h%zu: v\r\n", i);
        }
        od_buf_put(&text, OD_STR("\r\n"));
        struct od_http_parser parser;
        od_http_parser_init(&parser, &limits, &all_bodies);
        od_http_parser_begin(&parser, arena);
        enum od_http_event event = feed_all(&parser, od_buf_str(&text), text.len);
        check_row(count, event == (count > OD_HTTP_MAX_HEADERS ? OD_HTTP_BAD : OD_HTTP_WHOLE));
        od_http_parser_end(&parser);
    }
    od_arena_destroy(arena);
}

// A body of `size` bytes, by Content-Length or in chunks of `chunk` bytes.
static od_str post_of_size(od_arena *arena, size_t size, size_t chunk)
{
    struct od_buf text = {.arena = arena};
    od_buf_put(&text, OD_STR("POST / HTTP/1.1\r\nHost: a\r\n"));
    if (chunk == 0) {
        od_buf_printf(&text, "Content-Length: %zu\r\n\r\n", size);
        memset(od_buf_reserve(&text, size), 'x', size);
        text.len += size;
        return od_buf_str(&text);
    }
    od_buf_put(&text, OD_STR("Transfer-Encoding: chunked\r\n\r\n"));
    for (size_t left = size; left > 0;) {
        size_t part = left < chunk ? left : chunk;
        od_buf_printf(&text, "%zx\r\n", part);
        memset(od_buf_reserve(&text, part), 'x', part);
        text.len += part;
        od_buf_put(&text, OD_STR("\r\n"));
        left -= part;
    }
    od_buf_put(&text, OD_STR("0\r\n\r\n"));
    return od_buf_str(&text);
}

static const struct {
    size_t chunk;
    size_t piece;
} body_rows[] = {{0, 1 << 20}, {0, 1000},       {0, 1},      {1, 1 << 20},
                 {1, 1},       {1000, 1 << 20}, {1000, 777}, {1 << 20, 1 << 20}};

static void a_body_may_be_as_large_as_its_limit_and_no_byte_larger(void **state)
{
    (void)state;
    static const size_t sizes[] = {100, 65536, 65537, 200000};
    for (size_t i = 0; i < OD_COUNT(body_rows) * OD_COUNT(sizes); i++) {
        size_t row = i / OD_COUNT(sizes);
        size_t size = sizes[i % OD_COUNT(sizes)];
        od_arena *arena = od_arena_create();
        struct od_http_parser parser;
        limits.body_bytes = size;
        od_http_parser_init(&parser, &limits, &all_bodies);
        od_http_parser_begin(&parser, arena);
        od_str fits = post_of_size(arena, size, body_rows[row].chunk);
        check_row(i, feed_all(&parser, fits, body_rows[row].piece) == OD_HTTP_WHOLE);
        check_row(i, parser.request.body.len == size);
        check_row(i, parser.body.cap <= size * 2 + OD_HTTP_BODY_IN_ARENA);
        od_http_parser_end(&parser);
        od_http_parser_begin(&parser, arena);
        od_str larger = post_of_size(arena, size + 1, body_rows[row].chunk);
        check_row(i, feed_all(&parser, larger, body_rows[row].piece) == OD_HTTP_BAD);
        check_row(i, parser.fault.status == 413);
        od_http_parser_end(&parser);
        od_arena_destroy(arena);
    }
    assert_int_equal(atomic_load(&all_bodies), 0);
}

static void a_length_over_the_limit_is_refused_before_the_body_comes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n",
            "413 the body is too large\n"),
        ROW("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551615\r\n\r\n",
            "413 the body is too large\n"),
    };
    check_rows(rows, OD_COUNT(rows));
}

static void memory_follows_the_bytes_that_came_not_the_promised_length(void **state)
{
    (void)state;
    od_arena *arena = od_arena_create();
    struct od_http_parser parser;
    od_http_parser_init(&parser, &limits, &all_bodies);
    od_http_parser_begin(&parser, arena);
    od_str text = post_of_size(arena, limits.body_bytes, 0);
    assert_int_equal(feed_all(&parser, (od_str){text.ptr, 100}, 100), OD_HTTP_MORE);
    assert_true(parser.body.cap <= OD_HTTP_BODY_IN_ARENA);
    assert_int_equal(feed_all(&parser, (od_str){text.ptr + 100, 100000}, 1000), OD_HTTP_MORE);
    assert_true(parser.body.cap <= 2 * 100100 + OD_HTTP_BODY_IN_ARENA);
    od_http_parser_end(&parser);
    od_arena_destroy(arena);
}

static void all_bodies_together_have_a_limit(void **state)
{
    (void)state;
    limits.all_body_bytes = 1500000;
    od_arena *arena = od_arena_create();
    od_str text = post_of_size(arena, limits.body_bytes, 0);
    struct od_http_parser parsers[3];
    for (size_t i = 0; i < OD_COUNT(parsers); i++) {
        od_http_parser_init(&parsers[i], &limits, &all_bodies);
        od_http_parser_begin(&parsers[i], arena);
    }
    assert_int_equal(feed_all(&parsers[0], text, 65536), OD_HTTP_WHOLE);
    assert_int_equal(feed_all(&parsers[1], text, 65536), OD_HTTP_BAD);
    assert_int_equal(parsers[1].fault.status, 503);
    od_http_parser_end(&parsers[1]);
    // A small one needs none of it, and room given back is room again.
    od_str small = post_of_size(arena, 1000, 0);
    assert_int_equal(feed_all(&parsers[2], small, 65536), OD_HTTP_WHOLE);
    od_http_parser_end(&parsers[2]);
    od_http_parser_end(&parsers[0]);
    od_http_parser_begin(&parsers[2], arena);
    assert_int_equal(feed_all(&parsers[2], text, 65536), OD_HTTP_WHOLE);
    od_http_parser_end(&parsers[2]);
    assert_int_equal(atomic_load(&all_bodies), 0);
    od_arena_destroy(arena);
}

static void chunks_that_are_nearly_all_framing_are_refused(void **state)
{
    (void)state;
    static const char *const endless[] = {"0", "1;x", "0\r\nTrailer: x"};
    od_arena *arena = od_arena_create();
    for (size_t i = 0; i < OD_COUNT(endless); i++) {
        struct od_buf text = {.arena = arena};
        od_buf_printf(&text, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n%s",
                      endless[i]);
        while (text.len < 65536) {
            od_buf_put(&text, od_str_skip(od_cstr(endless[i]), strlen(endless[i]) - 1));
        }
        struct od_http_parser parser;
        od_http_parser_init(&parser, &limits, &all_bodies);
        od_http_parser_begin(&parser, arena);
        check_row(i, feed_all(&parser, od_buf_str(&text), 1000) == OD_HTTP_BAD);
        check_row(i, parser.fault.status == 400);
        od_http_parser_end(&parser);
    }
    od_arena_destroy(arena);
}

static void only_http_1_1_expects_a_continue(void **state)
{
    (void)state;
    static const struct {
        od_str text;
        bool want;
    } rows[] = {
        {OD_STR_INIT("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n"
                     "\r\n"),
         true},
        {OD_STR_INIT("POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n"),
         false},
        {OD_STR_INIT("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"),
         false},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_arena *arena = od_arena_create();
        struct od_http_parser parser;
        size_t used = 0;
        od_http_parser_init(&parser, &limits, &all_bodies);
        od_http_parser_begin(&parser, arena);
        check_row(i, od_http_parser_feed(&parser, rows[i].text, &used) == OD_HTTP_HEADERS);
        check_row(i, used == rows[i].text.len);
        check_row(i, parser.expects_continue == rows[i].want);
        od_http_parser_end(&parser);
        od_arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(malformed_requests_are_refused_wherever_they_are_cut, set_up),
        cmocka_unit_test_setup(requests_whose_length_could_be_read_in_two_ways_are_refused, set_up),
        cmocka_unit_test_setup(other_versions_of_http_are_refused, set_up),
        cmocka_unit_test_setup(a_length_over_the_limit_is_refused_before_the_body_comes, set_up),
        cmocka_unit_test_setup(chunks_that_are_nearly_all_framing_are_refused, set_up),
        cmocka_unit_test_setup(a_head_may_be_as_large_as_its_limit_and_no_byte_larger, set_up),
        cmocka_unit_test_setup(there_may_not_be_more_than_256_headers, set_up),
        cmocka_unit_test_setup(a_body_may_be_as_large_as_its_limit_and_no_byte_larger, set_up),
        cmocka_unit_test_setup(all_bodies_together_have_a_limit, set_up),
        cmocka_unit_test_setup(memory_follows_the_bytes_that_came_not_the_promised_length, set_up),
        cmocka_unit_test_setup(whole_requests_come_out_as_sent, set_up),
        cmocka_unit_test_setup(long_heads_come_out_as_sent_whatever_the_pieces, set_up),
        cmocka_unit_test_setup(headers_are_found_whatever_the_case, set_up),
        cmocka_unit_test_setup(only_http_1_1_expects_a_continue, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
