#include "client/session.h"

#include "base/clock.h"
#include "base/random.h"
#include "client/client_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t ns_per_ms = INT64_C(1000000);
static const int64_t ns_per_s = INT64_C(1000000000);
// Some hundred years: no sum of times overflows.
static const int64_t max_ms = INT64_C(1) << 43;

static void *or_abort(void *memory)
{
    if (memory == NULL) {
        fputs("ordna: out of memory\n", stderr);
        abort();
    }
    return memory;
}

// --- Life ---------------------------------------------------------------------------------------

static void init_wake_up(ordna_session *session)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&session->woken, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&session->lock, NULL);
}

ordna_session *ordna_session_open(ordna_client *client)
{
    ordna_session *session = or_abort(calloc(1, sizeof(*session)));
    session->client = client;
    session->arena = od_arena_create();
    init_wake_up(session);
    (void)od_session_set_error(session, &(ordna_error){0});
    return session;
}

ordna_session *od_session_open_child(ordna_session *parent)
{
    ordna_session *child = ordna_session_open(parent->client);
    child->parent = parent;
    pthread_mutex_lock(&parent->lock);
    child->next = parent->children;
    parent->children = child;
    pthread_mutex_unlock(&parent->lock);
    return child;
}

static void leave_parent(ordna_session *child)
{
    ordna_session *parent = child->parent;
    pthread_mutex_lock(&parent->lock);
    ordna_session **link = &parent->children;
    while (*link != child) {
        link = &(*link)->next;
    }
    *link = child->next;
    pthread_mutex_unlock(&parent->lock);
}

void ordna_session_close(ordna_session *session)
{
    if (session == NULL) {
        return;
    }
    if (session->parent != NULL) {
        leave_parent(session);
    }
    pthread_cond_destroy(&session->woken);
    pthread_mutex_destroy(&session->lock);
    od_arena_destroy(session->arena);
    free(session->error_memory);
    free(session);
}

void ordna_session_reset(ordna_session *session)
{
    od_arena_reset(session->arena);
    if (session->error.status != ORDNA_OK) {
        (void)od_session_set_error(session, &(ordna_error){0});
    }
    atomic_store(&session->canceled, false);
}

od_arena *od_session_arena(ordna_session *session)
{
    return session->arena;
}

void *od_session_notes(ordna_session *session)
{
    return session->notes;
}

ordna_client *od_session_client(const ordna_session *session)
{
    return session->client;
}

int od_session_max_attempts(const ordna_session *session)
{
    return session->client->max_attempts;
}

// --- Errors -------------------------------------------------------------------------------------

static const char *move_text(char **at, const char *text)
{
    if (text == NULL) {
        text = "";
    }
    const size_t size = strlen(text) + 1;
    memcpy(*at, text, size);
    const char *moved = *at;
    *at += size;
    return moved;
}

static size_t text_size(const char *text)
{
    return text == NULL ? 1 : strlen(text) + 1;
}

ordna_status od_session_set_error(ordna_session *session, const ordna_error *error)
{
    const size_t size = text_size(error->type) + text_size(error->message) +
                        text_size(error->request_id) + text_size(error->field) +
                        text_size(error->body);
    char *memory = or_abort(malloc(size));
    char *at = memory;
    ordna_error copy = *error;
    copy.type = move_text(&at, error->type);
    copy.message = move_text(&at, error->message);
    copy.request_id = move_text(&at, error->request_id);
    copy.field = move_text(&at, error->field);
    copy.body = move_text(&at, error->body);
    free(session->error_memory);
    session->error_memory = memory;
    session->error = copy;
    return copy.status;
}

ordna_status od_session_fail(ordna_session *session, ordna_status status, const char *field,
                             const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *message = NULL;
    const int len = vasprintf(&message, fmt, args);
    va_end(args);
    if (len < 0) {
        return od_session_set_error(session, &(ordna_error){.status = status, .field = field});
    }
    const ordna_error error = {.status = status, .field = field, .message = message};
    (void)od_session_set_error(session, &error);
    free(message);
    return status;
}

const ordna_error *ordna_session_error(const ordna_session *session)
{
    return &session->error;
}

ordna_status od_session_take_error(ordna_session *session, const ordna_session *from)
{
    return od_session_set_error(session, &from->error);
}

// --- Deadline and cancellation ------------------------------------------------------------------

static void wake_up(ordna_session *session)
{
    pthread_cond_broadcast(&session->woken);
    if (session->wake != NULL) {
        session->wake(session->wake_arg);
    }
}

// What runs under the old deadline looks at the new one. A family is two deep, or three.
static void wake_children(ordna_session *session) // NOLINT(misc-no-recursion)
{
    pthread_mutex_lock(&session->lock);
    for (ordna_session *child = session->children; child != NULL; child = child->next) {
        wake_children(child);
        pthread_mutex_lock(&child->lock);
        wake_up(child);
        pthread_mutex_unlock(&child->lock);
    }
    pthread_mutex_unlock(&session->lock);
}

static int64_t end_of(int64_t ms_from_now)
{
    const int64_t now = od_clock_monotonic_ns();
    const int64_t ms = ms_from_now > max_ms ? max_ms : ms_from_now;
    return ms < 0 ? now : now + ms * ns_per_ms;
}

void ordna_session_set_deadline(ordna_session *session, int64_t ms_from_now)
{
    atomic_store(&session->deadline_ns, ms_from_now == 0 ? 0 : end_of(ms_from_now));
    wake_children(session);
}

int64_t od_session_time_left_ms(const ordna_session *session)
{
    while (session->parent != NULL) {
        session = session->parent;
    }
    const int64_t deadline_ns = atomic_load(&session->deadline_ns);
    if (deadline_ns == 0) {
        return INT64_MAX;
    }
    const int64_t left = deadline_ns - od_clock_monotonic_ns();
    return left <= 0 ? 0 : (left + ns_per_ms - 1) / ns_per_ms;
}

bool od_session_is_canceled(const ordna_session *session)
{
    for (; session != NULL; session = session->parent) {
        if (atomic_load(&session->canceled)) {
            return true;
        }
    }
    return false;
}

// A family is two deep, or three.
void ordna_session_cancel(ordna_session *session) // NOLINT(misc-no-recursion)
{
    pthread_mutex_lock(&session->lock);
    atomic_store(&session->canceled, true);
    wake_up(session);
    for (ordna_session *child = session->children; child != NULL; child = child->next) {
        ordna_session_cancel(child);
    }
    pthread_mutex_unlock(&session->lock);
}

void od_session_set_wake(ordna_session *session, void (*wake)(void *arg), void *arg)
{
    pthread_mutex_lock(&session->lock);
    session->wake = wake;
    session->wake_arg = arg;
    pthread_mutex_unlock(&session->lock);
}

ordna_status od_session_check(ordna_session *session)
{
    if (od_session_is_canceled(session)) {
        return od_session_fail(session, ORDNA_CANCELED, NULL, "the session was canceled");
    }
    if (od_session_time_left_ms(session) <= 0) {
        return od_session_fail(session, ORDNA_TIMED_OUT, NULL, "the session's deadline has passed");
    }
    return ORDNA_OK;
}

// `end`, or sooner when less time is left.
static struct timespec later(int64_t now, int64_t end, int64_t left_ms)
{
    const bool sooner = left_ms < (end - now) / ns_per_ms;
    const int64_t ns = sooner ? now + left_ms * ns_per_ms : end;
    return (struct timespec){.tv_sec = (time_t)(ns / ns_per_s), .tv_nsec = (long)(ns % ns_per_s)};
}

// Ends early with the session's deadline, which may be set meanwhile, and when it is canceled.
static void rest(ordna_session *session, int64_t ms)
{
    if (session->client->wait != NULL) {
        session->client->wait(session->client->wait_arg, ms);
        return;
    }
    const int64_t end = od_clock_monotonic_ns() + ms * ns_per_ms;
    pthread_mutex_lock(&session->lock);
    while (!od_session_is_canceled(session)) {
        const int64_t now = od_clock_monotonic_ns();
        const int64_t left = od_session_time_left_ms(session);
        if (now >= end || left <= 0) {
            break;
        }
        const struct timespec until = later(now, end, left);
        (void)pthread_cond_timedwait(&session->woken, &session->lock, &until);
    }
    pthread_mutex_unlock(&session->lock);
}

ordna_status od_session_wait(ordna_session *session, int failed)
{
    uint32_t random = 0;
    od_random_bytes(&random, sizeof(random));
    const int64_t ms = od_backoff_ms(failed, random);
    const ordna_status status = od_session_check(session);
    if (status != ORDNA_OK) {
        return status;
    }
    if (ms >= od_session_time_left_ms(session)) {
        return od_session_fail(session, ORDNA_TIMED_OUT, NULL,
                               "no time is left to try again before the session's deadline");
    }
    rest(session, ms);
    return od_session_check(session);
}
