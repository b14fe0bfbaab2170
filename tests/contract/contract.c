#include "contract.h"

#include "base/buf.h"
#include "fault_store.h"
#include "temp_dir.h"

#include <stdlib.h>

static struct {
    const char *name;
    bool through_faults;
} chosen;

void contract_choose(const char *name, bool through_faults)
{
    chosen.name = name;
    chosen.through_faults = through_faults;
}

static void assert_ok(const struct contract *c, od_status status)
{
    if (status != OD_OK) {
        fail_msg("%.*s", OD_STR_ARG(c->cx.error));
    }
}

static void open_store(struct contract *c)
{
    // Each of the two runs has one of the two.
    enum od_durability durability =
        chosen.through_faults ? OD_DURABILITY_RELAXED : OD_DURABILITY_SYNC;
    struct od_store_options options = {.dir = c->dir, .durability = durability};
    assert_ok(c, c->ops->open(&c->cx, &options, &c->store));
}

int contract_setup(void **state)
{
    struct contract *c = calloc(1, sizeof(*c));
    assert_non_null(c);
    c->cx.arena = od_arena_create();
    c->dir = temp_dir_create();
    assert_ok(c, od_store_find(&c->cx, chosen.name, &c->ops));
    if (chosen.through_faults) {
        c->ops = od_fault_store(c->ops);
    }
    open_store(c);
    *state = c;
    return 0;
}

int contract_teardown(void **state)
{
    struct contract *c = *state;
    c->ops->close(c->store);
    temp_dir_remove(c->dir);
    free(c->dir);
    od_arena_destroy(c->cx.arena);
    free(c);
    return 0;
}

bool contract_is_durable(const struct contract *c)
{
    return c->ops->caps(c->store).durable;
}

void contract_reopen(struct contract *c)
{
    c->ops->close(c->store);
    open_store(c);
}

od_status contract_commit(struct contract *c, od_group group, const struct od_mutation *mutations,
                          size_t count)
{
    struct od_commit_part part = {.group = group, .mutations = mutations, .mutation_count = count};
    return c->ops->commit(c->store, &c->cx, &part, 1);
}

void contract_put(struct contract *c, od_group group, const char *key, const char *value)
{
    struct od_mutation put = {
        .kind = OD_MUTATION_PUT, .key = od_cstr(key), .value = od_cstr(value)};
    assert_ok(c, contract_commit(c, group, &put, 1));
}

void contract_del(struct contract *c, od_group group, const char *key)
{
    struct od_mutation del = {.kind = OD_MUTATION_DEL, .key = od_cstr(key)};
    assert_ok(c, contract_commit(c, group, &del, 1));
}

void contract_del_range(struct contract *c, od_group group, const char *lo, const char *hi)
{
    struct od_mutation del = {
        .kind = OD_MUTATION_DEL_RANGE, .key = od_cstr(lo), .value = od_cstr(hi)};
    assert_ok(c, contract_commit(c, group, &del, 1));
}

od_str contract_get(struct contract *c, od_snapshot *snapshot, od_group group, od_str key)
{
    od_str value = OD_STR("not touched");
    assert_ok(c, c->ops->get(c->store, &c->cx, snapshot, group, &key, 1, &value));
    return value;
}

static bool write_pair(void *arg, od_str key, od_str value)
{
    od_buf_printf(arg, "%.*s=%.*s ", OD_STR_ARG(key), OD_STR_ARG(value));
    return true;
}

od_str contract_scan(struct contract *c, od_snapshot *snapshot, const struct od_scan_range *range)
{
    // In an arena of its own: the store uses the context's while it scans.
    od_arena *arena = od_arena_create();
    struct od_buf text = {.arena = arena};
    assert_ok(c, c->ops->scan(c->store, &c->cx, snapshot, range, write_pair, &text));
    od_str copy = od_arena_copy(c->cx.arena, od_buf_str(&text));
    od_arena_destroy(arena);
    return copy;
}

void contract_assert_value(struct contract *c, od_group group, const char *key, const char *value)
{
    od_str got = contract_get(c, NULL, group, od_cstr(key));
    if (value == NULL) {
        assert_null(got.ptr);
        return;
    }
    assert_non_null(got.ptr);
    assert_string_equal(got.ptr, value);
}

void contract_assert_group(struct contract *c, od_group group, const char *want)
{
    struct od_scan_range all = {.group = group};
    assert_string_equal(contract_scan(c, NULL, &all).ptr, want);
}
