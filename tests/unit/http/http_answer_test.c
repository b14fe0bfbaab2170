#include "http_support.h"

#include "base/clock.h"

#include <string.h>

static od_arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = od_arena_create();
    od_clock_set_ms(784111777000);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    od_clock_set_ms(-1);
    od_arena_destroy(arena);
    return 0;
}

static void headers_with_line_breaks_are_left_out(void **state)
{
    (void)state;
    static const struct od_http_header headers[] = {
        {OD_STR_INIT("A"), OD_STR_INIT("1\r\nB: 2")}, {OD_STR_INIT("A\r"), OD_STR_INIT("1")},
        {OD_STR_INIT("A"), OD_STR_INIT("\n")},        {OD_STR_INIT("A"), OD_STR_INIT("a\0b")},
        {OD_STR_INIT("Last"), OD_STR_INIT("")},
    };
    const struct od_http_response response = {
        .status = 200, .headers = headers, .header_count = OD_COUNT(headers)};
    struct od_http_answer answer =
        od_http_answer_make(arena, &response, (struct od_http_answer_options){0});
    check_text(0, answer.head,
               OD_STR("HTTP/1.1 200 OK\r\nLast: \r\nContent-Length: 0\r\n"
                      "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nConnection: keep-alive\r\n\r\n"));
}

static void a_control_character_is_found_wherever_it_stands(void **state)
{
    (void)state;
    char value[40];
    for (size_t len = 1; len <= sizeof(value); len++) {
        for (size_t at = 0; at <= len; at++) {
            memset(value, 0xff, len);
            memset(value, ' ', len / 2);
            if (at < len) {
                value[at] = (char)(at % 2 == 0 ? '\n' : 0x1f);
            }
            const struct od_http_header header = {OD_STR_INIT("X"), {value, len}};
            const struct od_http_response response = {
                .status = 200, .headers = &header, .header_count = 1};
            od_arena_reset(arena);
            struct od_http_answer answer =
                od_http_answer_make(arena, &response, (struct od_http_answer_options){0});
            check_row(len, od_str_contains(answer.head, OD_STR("\r\nX: ")) == (at == len));
        }
    }
}

static void heads_say_the_length_the_date_and_what_becomes_of_the_connection(void **state)
{
    (void)state;
    static const struct {
        int status;
        bool response_close;
        struct od_http_answer_options options;
        const char *want;
        size_t body_len;
    } rows[] = {
        {200, false, {0}, "200 OK\r\nContent-Length: 3\r\n|keep-alive", 3},
        {200, true, {0}, "200 OK\r\nContent-Length: 3\r\n|close", 3},
        {400, false, {.close = true}, "400 Bad Request\r\nContent-Length: 3\r\n|close", 3},
        {404, false, {.head_only = true}, "404 Not Found\r\nContent-Length: 3\r\n|keep-alive", 0},
        {204, false, {0}, "204 No Content\r\n|keep-alive", 0},
        {418, false, {0}, "418 \r\nContent-Length: 3\r\n|keep-alive", 3},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_http_response response = {
            .status = rows[i].status, .body = OD_STR("abc"), .close = rows[i].response_close};
        struct od_http_answer answer = od_http_answer_make(arena, &response, rows[i].options);
        const char *bar = strchr(rows[i].want, '|');
        od_str want = od_arena_printf(
            arena, "HTTP/1.1 %.*sDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nConnection: %s\r\n\r\n",
            (int)(bar - rows[i].want), rows[i].want, bar + 1);
        check_text(i, answer.head, want);
        check_row(i, answer.body.len == rows[i].body_len);
        check_row(i, answer.close == (strcmp(bar, "|close") == 0));
    }
}

static void refusals_close_and_say_why(void **state)
{
    (void)state;
    struct od_http_answer answer =
        od_http_answer_refusal(arena, (struct od_http_fault){503, "too many"});
    check_text(0, answer.body, OD_STR("too many\n"));
    assert_true(answer.close);
    assert_true(od_str_contains(answer.head, OD_STR("\r\nRetry-After: 1\r\n")));
    assert_true(od_str_contains(answer.head, OD_STR("\r\nConnection: close\r\n")));
}

static void the_date_follows_the_clock(void **state)
{
    (void)state;
    const struct od_http_response response = {.status = 200};
    od_clock_set_ms(999);
    struct od_http_answer first =
        od_http_answer_make(arena, &response, (struct od_http_answer_options){0});
    od_clock_set_ms(1000);
    struct od_http_answer second =
        od_http_answer_make(arena, &response, (struct od_http_answer_options){0});
    assert_true(od_str_contains(first.head, OD_STR("00:00:00 GMT")));
    assert_true(od_str_contains(second.head, OD_STR("00:00:01 GMT")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(headers_with_line_breaks_are_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_control_character_is_found_wherever_it_stands, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            heads_say_the_length_the_date_and_what_becomes_of_the_connection, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refusals_close_and_say_why, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_date_follows_the_clock, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
