// A machine whose clock is off, and a server that says so.
#include "peer.h"
#include "support.h"

#include "base/clock.h"

#include <stdio.h>

// The machine believes that it is 2026-12-01T00:00:00Z.
static const int64_t machine_ms = INT64_C(1796083200000);

#define OBJECT "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

struct setting {
    struct peer *peer;
    ordna_client *client;
    ordna_session *session;
    int waits;
};

static void count_wait(void *arg, int64_t ms)
{
    (void)ms;
    *(int *)arg += 1;
}

static void begin(struct setting *s, const struct peer_step *steps, size_t count)
{
    od_clock_set_ms(machine_ms);
    s->peer = peer_start(steps, count, NULL);
    s->waits = 0;
    char endpoint[64];
    char error[256] = "";
    snprintf(endpoint, sizeof(endpoint), "http://127.0.0.1:%d", peer_port(s->peer));
    const ordna_client_options options = {.endpoint = endpoint,
                                          .region = "eu-west-1",
                                          .access_key_id = "AKIDEXAMPLE",
                                          .secret_access_key = "secret"};
    assert_int_equal(ordna_client_open(&options, &s->client, error, sizeof(error)), ORDNA_OK);
    s->client->wait = count_wait;
    s->client->wait_arg = &s->waits;
    s->session = ordna_session_open(s->client);
}

static void end(struct setting *s)
{
    ordna_session_close(s->session);
    ordna_client_close(s->client);
    peer_stop(s->peer);
    od_clock_set_ms(-1);
}

// Not repeatable: an answer that it was refused is enough to send it again.
static ordna_status update(const struct setting *s)
{
    ordna_answer answer;
    return ordna_session_call(s->session, "UpdateItem", "{\"a\":1}", 7, &answer);
}

static void check_signed(size_t row, const struct setting *s, const char *time)
{
    char header[64];
    snprintf(header, sizeof(header), "X-Amz-Date: %s", time);
    if (strstr(peer_last_request(s->peer), header) == NULL) {
        fail_msg("row %zu: %s is not in %s", row, header, peer_last_request(s->peer));
    }
}

// An answer that refuses: `date` is a header, or "".
static struct peer_step refusal(char text[512], const char *type, const char *date)
{
    char body[128];
    const int len =
        snprintf(body, sizeof(body), "{\"__type\":\"com.amazon.coral.service#%s\"}", type);
    snprintf(text, 512, "HTTP/1.1 400 Bad Request\r\n%sContent-Length: %d\r\n\r\n%s", date, len,
             body);
    return (struct peer_step){text, PEER_KEEP, 0, false};
}

static const struct peer_step object = {OBJECT, PEER_KEEP, 0, false};

#define HEADER(date) "Date: " date "\r\n"

static const struct row {
    const char *type;
    const char *date;
    const char *time; // NULL: it is not sent again
} rows[] = {
    {"ValidationException", HEADER("Tue, 01 Dec 2026 01:00:00 GMT"), NULL},
    {"RequestInTheFuture", "", NULL},
    {"RequestInTheFuture", HEADER("yesterday"), NULL},
    {"RequestInTheFuture", HEADER(""), NULL},
    {"RequestInTheFuture", HEADER("Tue, 01 Dec 2026 00:03:59 GMT"), NULL},
    {"RequestInTheFuture", HEADER("Fri, 31 Dec 9999 23:59:59 GMT"), NULL},
    {"RequestInTheFuture", HEADER("Mon, 30 Nov 2026 23:50:00 GMT"), "20261130T235000Z"},
    {"RequestTimeTooSkewed", HEADER("Tue, 01 Dec 2026 00:06:00 GMT"), "20261201T000600Z"},
    {"RequestExpired", HEADER("Sat, 01 Jan 2056 00:00:00 GMT"), "20560101T000000Z"},
    {"InvalidSignatureException", HEADER("Sun, 06 Nov 1994 08:49:37 GMT"), "19941106T084937Z"},
};

static void what_the_clock_is_to_blame_for_is_sent_once_more(void **state)
{
    (void)state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        char text[512];
        const struct peer_step steps[] = {refusal(text, rows[i].type, rows[i].date), object};
        struct setting s;
        begin(&s, steps, OD_COUNT(steps));
        const bool again = rows[i].time != NULL;
        check_int(i, update(&s), again ? ORDNA_OK : ORDNA_REFUSED);
        check_int(i, peer_requests(s.peer), again ? 2 : 1);
        check_signed(i, &s, again ? rows[i].time : "20261201T000000Z");
        check_int(i, s.waits, 0);
        // The time goes on from there.
        od_clock_set_ms(machine_ms + 1000);
        check_int(i, update(&s), ORDNA_OK);
        end(&s);
    }
}

static void what_follows_is_signed_by_the_same_clock(void **state)
{
    (void)state;
    char text[512];
    const struct peer_step steps[] = {
        refusal(text, "RequestExpired", HEADER("Tue, 01 Dec 2026 10:00:00 GMT")), object};
    struct setting s;
    begin(&s, steps, OD_COUNT(steps));
    assert_int_equal(update(&s), ORDNA_OK);
    od_clock_set_ms(machine_ms + (int64_t)90 * 1000);
    assert_int_equal(update(&s), ORDNA_OK);
    check_signed(0, &s, "20261201T100130Z");
    assert_int_equal(peer_requests(s.peer), 3);
    end(&s);
}

static void a_clock_is_corrected_once_for_a_request(void **state)
{
    (void)state;
    char text[2][512];
    const struct peer_step steps[] = {
        refusal(text[0], "RequestExpired", HEADER("Tue, 01 Dec 2026 10:00:00 GMT")),
        refusal(text[1], "RequestExpired", HEADER("Tue, 01 Dec 2026 12:00:00 GMT")),
    };
    struct setting s;
    begin(&s, steps, OD_COUNT(steps));
    assert_int_equal(update(&s), ORDNA_REFUSED);
    assert_string_equal(ordna_session_error(s.session)->type, "RequestExpired");
    assert_int_equal(peer_requests(s.peer), 2);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_clock_is_to_blame_for_is_sent_once_more),
        cmocka_unit_test(what_follows_is_signed_by_the_same_clock),
        cmocka_unit_test(a_clock_is_corrected_once_for_a_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
