#include "commit_support.h"

#include <string.h>

// ---- a store with one row ----

const od_str good_key = OD_STR_INIT("k");
static const od_str bad_key = OD_STR_INIT("bad"); // cannot be read

struct fake fake = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static od_status fake_get(od_store *store, od_ctx *cx, od_snapshot *snapshot, od_group group,
                          const od_str *keys, size_t count, od_str *values)
{
    (void)store;
    (void)snapshot;
    (void)group;
    assert_int_equal(count, 1);
    if (fake.unreadable || od_str_eq(keys[0], bad_key)) {
        return OD_FAIL(cx, OD_STORE_DOWN, "told to fail");
    }
    od_str row = {(const char *)&fake.row, sizeof(fake.row)};
    values[0] = fake.row == 0 ? (od_str){0} : od_arena_copy(cx->arena, row);
    return OD_OK;
}

static void pass_gate(void)
{
    pthread_mutex_lock(&fake.lock);
    while (fake.closed) {
        fake.waiting = true;
        pthread_cond_broadcast(&fake.changed);
        pthread_cond_wait(&fake.changed, &fake.lock);
    }
    fake.waiting = false;
    pthread_mutex_unlock(&fake.lock);
}

static od_status fake_commit(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                             size_t count)
{
    (void)store;
    if (count == 0) {
        fake.reopenings++;
        return fake.reopening == OD_OK ? OD_OK : OD_FAIL(cx, fake.reopening, "told to fail");
    }
    pass_gate();
    fake.commits++;
    if (fake.commits == fake.fail_at) {
        return OD_FAIL(cx, fake.failure, "told to fail");
    }
    assert_int_equal(count, 1);
    assert_int_equal(parts[0].mutation_count, 1);
    memcpy(&fake.row, parts[0].mutations[0].value.ptr, sizeof(fake.row));
    return OD_OK;
}

const struct od_store_ops fake_ops = {
    .abi = OD_STORE_ABI, .name = "fake", .get = fake_get, .commit = fake_commit};

int reset(void **state)
{
    (void)state;
    fake.row = 0;
    fake.commits = 0;
    fake.fail_at = 0;
    fake.unreadable = false;
    fake.reopening = OD_OK;
    fake.reopenings = 0;
    fake.closed = false;
    return 0;
}

void close_gate(void)
{
    pthread_mutex_lock(&fake.lock);
    fake.closed = true;
    pthread_mutex_unlock(&fake.lock);
}

void wait_for_committer_at_gate(void)
{
    pthread_mutex_lock(&fake.lock);
    while (!fake.waiting) {
        pthread_cond_wait(&fake.changed, &fake.lock);
    }
    pthread_mutex_unlock(&fake.lock);
}

void open_gate(void)
{
    pthread_mutex_lock(&fake.lock);
    fake.closed = false;
    pthread_cond_broadcast(&fake.changed);
    pthread_mutex_unlock(&fake.lock);
}

// ---- jobs ----

static void count_hook(void *arg)
{
    ((struct add *)arg)->hooks++;
}

od_status apply_add(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct add *add = arg;
    od_str row = {0};
    OD_TRY(od_batch_get(batch, cx, GROUP, add->unreadable ? bad_key : good_key, &row));
    int64_t value = 0;
    if (row.ptr != NULL) {
        memcpy(&value, row.ptr, sizeof(value));
    }
    add->seen = value;
    if (add->amount < 0) {
        return OD_FAIL(cx, OD_CONDITION_FAILED, "refused");
    }
    value += add->amount;
    od_batch_put(batch, GROUP, OD_STR("k"),
                 od_arena_copy(cx->arena, (od_str){(const char *)&value, sizeof(value)}));
    od_batch_on_commit(batch, count_hook, add);
    return OD_OK;
}

void init_add(struct add *add, int64_t amount)
{
    *add = (struct add){.amount = amount, .cx = {.arena = od_arena_create()}};
    add->job = (struct od_job){.apply = apply_add, .arg = add, .cx = &add->cx};
}

void clear_add(struct add *add)
{
    od_arena_destroy(add->cx.arena);
}

void note_done(struct od_job *job)
{
    (void)job;
}

// One job holds the committer at the gate; the others gather behind it.
