#include "client/http/http.h"

#include <stdio.h>
#include <stdlib.h>

enum { RECEIVE_BYTES = 64 * 1024, MAX_POLL_MS = 3600 * 1000 };

static void *need(void *made)
{
    if (made == NULL) {
        fputs("ordna: libcurl cannot be used\n", stderr);
        abort();
    }
    return made;
}

// --- Life ---------------------------------------------------------------------------------------

// Rewinding would be for sending a request twice, which is decided elsewhere.
static int refuse_seek(void *arg, curl_off_t offset, int origin)
{
    (void)arg;
    (void)offset;
    (void)origin;
    return CURL_SEEKFUNC_FAIL;
}

static void set_behaviour(CURL *easy)
{
    (void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    // Nobody who sets http_proxy for a browser means a database.
    (void)curl_easy_setopt(easy, CURLOPT_PROXY, "");
    (void)curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)RECEIVE_BYTES);
    // A name that cannot be resolved does not hold up who gives up waiting.
    (void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_USERAGENT, "ordna/" OD_VERSION);
    (void)curl_easy_setopt(easy, CURLOPT_POST, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, refuse_seek);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, od_intake_header);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, od_intake_body);
}

static void set_destination(CURL *easy, const struct od_http_options *options)
{
    const struct od_config *config = options->config;
    (void)curl_easy_setopt(easy, CURLOPT_URL, config->endpoint.url);
    (void)curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)options->connect_timeout_ms);
    (void)curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)options->timeout_ms);
    (void)curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (config->ca_file != NULL) {
        (void)curl_easy_setopt(easy, CURLOPT_CAINFO, config->ca_file);
        (void)curl_easy_setopt(easy, CURLOPT_CAPATH, NULL); // these alone
    }
}

struct od_line *od_line_create(const struct od_http_options *options)
{
    struct od_line *line = need(calloc(1, sizeof(*line)));
    line->multi = need(curl_multi_init());
    line->easy = need(curl_easy_init());
    line->signer = od_signer_create();
    line->scratch = od_arena_create();
    (void)curl_multi_setopt(line->multi, CURLMOPT_MAXCONNECTS, 1L);
    (void)curl_easy_setopt(line->easy, CURLOPT_ERRORBUFFER, line->reason);
    set_behaviour(line->easy);
    set_destination(line->easy, options);
    return line;
}

void od_line_destroy(struct od_line *line)
{
    curl_easy_cleanup(line->easy);
    curl_multi_cleanup(line->multi);
    od_signer_destroy(line->signer);
    od_arena_destroy(line->scratch);
    free(line);
}

// --- Transfers ----------------------------------------------------------------------------------

static CURLcode result_of(struct od_line *line)
{
    int left = 0;
    const CURLMsg *message = curl_multi_info_read(line->multi, &left);
    return message != NULL && message->msg == CURLMSG_DONE ? message->data.result
                                                           : CURLE_FAILED_INIT;
}

static CURLcode drive(struct od_line *line, const ordna_session *session)
{
    for (;;) {
        int running = 0;
        if (curl_multi_perform(line->multi, &running) != CURLM_OK) {
            return CURLE_FAILED_INIT;
        }
        if (running == 0) {
            return result_of(line);
        }
        if (od_session_is_canceled(session)) {
            return CURLE_ABORTED_BY_CALLBACK;
        }
        const int64_t left = od_session_time_left_ms(session);
        if (left <= 0) {
            return CURLE_OPERATION_TIMEDOUT;
        }
        const int ms = left < MAX_POLL_MS ? (int)left : MAX_POLL_MS;
        if (curl_multi_poll(line->multi, NULL, 0, ms, NULL) != CURLM_OK) {
            return CURLE_FAILED_INIT;
        }
    }
}

CURLcode od_line_run(struct od_line *line, const ordna_session *session)
{
    line->reason[0] = '\0';
    if (curl_multi_add_handle(line->multi, line->easy) != CURLM_OK) {
        return CURLE_FAILED_INIT;
    }
    const CURLcode result = drive(line, session);
    (void)curl_multi_remove_handle(line->multi, line->easy);
    return result;
}
