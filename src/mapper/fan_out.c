#include "mapper/fan_out.h"

#include <pthread.h>
#include <signal.h>

enum { MAX_WORKERS = 16 };

// Where the next page of a partition is.
enum state {
    IDLE,    // not asked for
    ASKED,   // in the queue, or on its way
    ARRIVED, // in `next`
};

struct partition {
    od_str body; // of the request, without its end
    enum state state;
    bool started;              // the first page has been asked for
    struct od_fetched current; // what the caller has taken
    struct od_fetched next;
};

struct worker {
    pthread_t thread;
    struct od_fan_out *fan_out;
    ordna_session *session; // of this worker alone
};

struct od_fan_out {
    ordna_session *session;
    od_arena *arena;
    bool count;
    od_str from; // where the only partition begins
    struct partition *partitions;
    size_t partition_count;
    struct worker workers[MAX_WORKERS];
    size_t worker_count; // 0: the caller's thread asks, with the first one's session

    pthread_mutex_t lock;
    pthread_cond_t asked;
    pthread_cond_t arrived;
    bool closing;
    const ordna_session *failed; // whose error says why; its worker has ended
    size_t *queue;               // a ring of partitions that are asked for, each once at most
    size_t queue_start;
    size_t queue_len;
};

// --- A page -------------------------------------------------------------------------------------

static od_str start_of(const struct od_fan_out *fan_out, const struct partition *partition)
{
    return partition->started ? partition->current.page.next : fan_out->from;
}

// Not a reset of the session, which would forget that it has been cancelled, too.
static void forget_request(ordna_session *session)
{
    od_arena_reset(od_session_arena(session));
}

// What a session's memory holds goes with the next request: pages have their own.
static ordna_status keep(ordna_session *session, ordna_answer answer, struct od_fetched *out)
{
    out->arena = od_arena_create();
    const od_str text = od_arena_copy(out->arena, (od_str){answer.body, answer.body_len});
    const ordna_status status = od_page_read(session, out->arena, text, &out->page);
    // Of an empty bucket of time, for example: nothing points into such a page.
    if (out->page.item_count == 0 && out->page.next.len == 0) {
        od_arena_destroy(out->arena);
        out->arena = NULL;
    }
    return status;
}

static ordna_status fetch(ordna_session *session, od_str begun, od_str from, struct od_fetched *out)
{
    struct od_buf body = {.arena = od_session_arena(session)};
    od_buf_put(&body, begun);
    od_plan_write_end(&body, from);
    ordna_answer answer;
    const ordna_status status = od_session_call(session, "Query", od_buf_str(&body), true, &answer);
    return status == ORDNA_OK ? keep(session, answer, out) : status;
}

static void discard(struct od_fetched *page)
{
    if (page->arena != NULL) {
        od_arena_destroy(page->arena);
    }
    *page = (struct od_fetched){0};
}

// A count is of all pages, which need nobody in between.
static ordna_status fetch_all(ordna_session *session, od_str begun, od_str from,
                              struct od_fetched *out)
{
    ordna_status status = fetch(session, begun, from, out);
    uint64_t sum = out->page.count;
    while (status == ORDNA_OK && out->page.next.len > 0) {
        struct od_fetched next = {0};
        status = fetch(session, begun, out->page.next, &next);
        sum += next.page.count;
        discard(out);
        *out = next;
        forget_request(session);
    }
    out->page.count = sum;
    return status;
}

static ordna_status fetch_for(const struct od_fan_out *fan_out, ordna_session *session,
                              const struct partition *partition, struct od_fetched *out)
{
    const od_str from = start_of(fan_out, partition);
    return fan_out->count ? fetch_all(session, partition->body, from, out)
                          : fetch(session, partition->body, from, out);
}

// --- Workers ------------------------------------------------------------------------------------

static void ask(struct od_fan_out *fan_out, size_t i)
{
    fan_out->partitions[i].state = ASKED;
    const size_t end = (fan_out->queue_start + fan_out->queue_len) % fan_out->partition_count;
    fan_out->queue[end] = i;
    fan_out->queue_len++;
    pthread_cond_signal(&fan_out->asked);
}

// The lock is held. NULL when there will be no more work.
static struct partition *wait_for_work(struct od_fan_out *fan_out)
{
    while (fan_out->queue_len == 0 && !fan_out->closing && fan_out->failed == NULL) {
        pthread_cond_wait(&fan_out->asked, &fan_out->lock);
    }
    if (fan_out->closing || fan_out->failed != NULL) {
        return NULL;
    }
    struct partition *partition = &fan_out->partitions[fan_out->queue[fan_out->queue_start]];
    fan_out->queue_start = (fan_out->queue_start + 1) % fan_out->partition_count;
    fan_out->queue_len--;
    return partition;
}

// The first that fails stops all: its error stays in its session.
static void fail(struct od_fan_out *fan_out, const ordna_session *session)
{
    if (fan_out->failed == NULL) {
        fan_out->failed = session;
    }
    pthread_cond_broadcast(&fan_out->asked);
    pthread_cond_broadcast(&fan_out->arrived);
}

static bool work_once(struct worker *worker)
{
    struct od_fan_out *fan_out = worker->fan_out;
    struct partition *partition = wait_for_work(fan_out);
    if (partition == NULL) {
        return false;
    }
    pthread_mutex_unlock(&fan_out->lock);
    struct od_fetched page = {0};
    const ordna_status status = fetch_for(fan_out, worker->session, partition, &page);
    forget_request(worker->session);
    pthread_mutex_lock(&fan_out->lock);
    partition->next = page;
    if (status != ORDNA_OK) {
        fail(fan_out, worker->session);
        return false;
    }
    partition->state = ARRIVED;
    pthread_cond_broadcast(&fan_out->arrived);
    return true;
}

static void *work(void *arg)
{
    struct worker *worker = arg;
    pthread_mutex_lock(&worker->fan_out->lock);
    while (work_once(worker)) {
    }
    pthread_mutex_unlock(&worker->fan_out->lock);
    return NULL;
}

static bool start_worker(struct worker *worker)
{
    // Signals are for the program's own threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&worker->thread, NULL, work, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed == 0;
}

// As many as there are partitions, or fewer when the system has no more threads.
static void start_workers(struct od_fan_out *fan_out)
{
    const size_t wanted =
        fan_out->partition_count < MAX_WORKERS ? fan_out->partition_count : MAX_WORKERS;
    for (size_t i = 0; i < wanted && wanted > 1; i++) {
        struct worker *worker = &fan_out->workers[i];
        worker->fan_out = fan_out;
        if (worker->session == NULL) {
            worker->session = od_session_open_child(fan_out->session);
        }
        if (!start_worker(worker)) {
            return;
        }
        fan_out->worker_count++;
    }
}

// --- Life ---------------------------------------------------------------------------------------

static ordna_status write_bodies(ordna_session *session, const struct od_plan *plan,
                                 struct od_fan_out *fan_out)
{
    const od_mark mark = od_arena_mark(od_session_arena(session));
    ordna_status status = ORDNA_OK;
    for (size_t i = 0; i < plan->partition_count && status == ORDNA_OK; i++) {
        struct od_buf body = {.arena = fan_out->arena};
        status = od_plan_write(session, plan, &plan->partitions[i], &body);
        fan_out->partitions[i].body = od_buf_str(&body);
    }
    od_arena_rewind(od_session_arena(session), mark);
    return status;
}

static struct od_fan_out *create(ordna_session *session, const struct od_plan *plan)
{
    od_arena *arena = od_arena_create();
    struct od_fan_out *fan_out = od_new(arena, struct od_fan_out);
    fan_out->session = session;
    fan_out->arena = arena;
    fan_out->count = plan->count;
    if (plan->query->from != NULL) {
        fan_out->from = od_arena_copy(arena, od_cstr(plan->query->from));
    }
    fan_out->partition_count = plan->partition_count;
    fan_out->partitions = od_new_array(arena, struct partition, plan->partition_count);
    fan_out->queue = od_new_array(arena, size_t, plan->partition_count);
    pthread_mutex_init(&fan_out->lock, NULL);
    pthread_cond_init(&fan_out->asked, NULL);
    pthread_cond_init(&fan_out->arrived, NULL);
    return fan_out;
}

ordna_status od_fan_out_open(ordna_session *session, const struct od_plan *plan,
                             struct od_fan_out **out)
{
    struct od_fan_out *fan_out = create(session, plan);
    const ordna_status status = write_bodies(session, plan, fan_out);
    if (status != ORDNA_OK) {
        od_fan_out_close(fan_out);
        return status;
    }
    fan_out->workers[0].session = od_session_open_child(session);
    for (size_t i = 0; i < fan_out->partition_count; i++) {
        ask(fan_out, i);
    }
    start_workers(fan_out);
    *out = fan_out;
    return ORDNA_OK;
}

static void stop_workers(struct od_fan_out *fan_out)
{
    pthread_mutex_lock(&fan_out->lock);
    fan_out->closing = true;
    pthread_cond_broadcast(&fan_out->asked);
    pthread_mutex_unlock(&fan_out->lock);
    for (size_t i = 0; i < fan_out->worker_count; i++) {
        ordna_session_cancel(fan_out->workers[i].session);
    }
    for (size_t i = 0; i < fan_out->worker_count; i++) {
        pthread_join(fan_out->workers[i].thread, NULL);
    }
}

void od_fan_out_close(struct od_fan_out *fan_out)
{
    stop_workers(fan_out);
    for (size_t i = 0; i < MAX_WORKERS; i++) {
        ordna_session_close(fan_out->workers[i].session);
    }
    for (size_t i = 0; i < fan_out->partition_count; i++) {
        discard(&fan_out->partitions[i].current);
        discard(&fan_out->partitions[i].next);
    }
    pthread_cond_destroy(&fan_out->arrived);
    pthread_cond_destroy(&fan_out->asked);
    pthread_mutex_destroy(&fan_out->lock);
    od_arena_destroy(fan_out->arena);
}

// --- Pages for the caller -----------------------------------------------------------------------

static bool has_more(const struct partition *partition)
{
    return !partition->started || partition->current.page.next.len > 0;
}

void od_fan_out_prefetch(struct od_fan_out *fan_out, size_t partition)
{
    const struct partition *of = &fan_out->partitions[partition];
    if (fan_out->worker_count == 0) {
        return;
    }
    pthread_mutex_lock(&fan_out->lock);
    if (of->state == IDLE && has_more(of)) {
        ask(fan_out, partition);
    }
    pthread_mutex_unlock(&fan_out->lock);
}

// On the caller's thread.
static ordna_status fetch_here(struct od_fan_out *fan_out, struct partition *partition)
{
    ordna_session *session = fan_out->workers[0].session;
    if (fan_out->failed != NULL) {
        return od_session_take_error(fan_out->session, fan_out->failed);
    }
    const ordna_status status = fetch_for(fan_out, session, partition, &partition->next);
    if (status != ORDNA_OK) {
        fan_out->failed = session;
        return od_session_take_error(fan_out->session, session);
    }
    forget_request(session);
    partition->state = ARRIVED;
    return ORDNA_OK;
}

static ordna_status wait_for_page(struct od_fan_out *fan_out, struct partition *partition)
{
    pthread_mutex_lock(&fan_out->lock);
    if (partition->state == IDLE) {
        ask(fan_out, (size_t)(partition - fan_out->partitions));
    }
    while (partition->state != ARRIVED && fan_out->failed == NULL) {
        pthread_cond_wait(&fan_out->arrived, &fan_out->lock);
    }
    const bool arrived = partition->state == ARRIVED;
    const ordna_session *failed = fan_out->failed;
    pthread_mutex_unlock(&fan_out->lock);
    return arrived ? ORDNA_OK : od_session_take_error(fan_out->session, failed);
}

ordna_status od_fan_out_take(struct od_fan_out *fan_out, size_t partition,
                             const struct od_fetched **out)
{
    struct partition *of = &fan_out->partitions[partition];
    if (!has_more(of)) {
        return ORDNA_END;
    }
    const ordna_status status =
        fan_out->worker_count == 0 ? fetch_here(fan_out, of) : wait_for_page(fan_out, of);
    if (status != ORDNA_OK) {
        return status;
    }
    discard(&of->current);
    of->current = of->next;
    of->next = (struct od_fetched){0};
    of->state = IDLE;
    of->started = true;
    *out = &of->current;
    return ORDNA_OK;
}
