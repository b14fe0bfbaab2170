// Random commits and reads, held against a plain array.
#include "contract.h"

#include "base/buf.h"

#include <stdio.h>

enum {
    GROUPS = 3,
    KEYS = 40,
    ROUNDS = 1500,
    MAX_CHANGES = 6,
    REOPEN_EVERY = 60, // each leaves a file to be compacted
};

struct model {
    unsigned values[GROUPS][KEYS]; // 0: absent
    uint32_t random;
};

static unsigned pick(struct model *model, unsigned below)
{
    model->random = model->random * 1664525U + 1013904223U;
    return (model->random >> 8) % below;
}

static od_str key_of(od_arena *arena, unsigned number)
{
    return od_arena_printf(arena, "%02u", number);
}

// Key numbers from 0 to KEYS, where the ends stand for no bound.
static od_str bound_of(od_arena *arena, unsigned number)
{
    return number == 0 || number == KEYS ? (od_str){0} : key_of(arena, number);
}

static struct od_mutation random_change(struct contract *c, struct model *model, unsigned *values)
{
    unsigned key = pick(model, KEYS);
    unsigned dice = pick(model, 10);
    if (dice < 6) {
        values[key] = pick(model, 1000) + 1;
        return (struct od_mutation){.kind = OD_MUTATION_PUT,
                                    .key = key_of(c->cx.arena, key),
                                    .value = od_arena_printf(c->cx.arena, "%u", values[key])};
    }
    if (dice < 8) {
        values[key] = 0;
        return (struct od_mutation){.kind = OD_MUTATION_DEL, .key = key_of(c->cx.arena, key)};
    }
    unsigned end = key + pick(model, KEYS / 4) + 1;
    end = end > KEYS ? KEYS : end;
    for (unsigned i = key; i < end; i++) {
        values[i] = 0;
    }
    return (struct od_mutation){.kind = OD_MUTATION_DEL_RANGE,
                                .key = bound_of(c->cx.arena, key),
                                .value = bound_of(c->cx.arena, end)};
}

static void commit_changes(struct contract *c, struct model *model)
{
    struct od_mutation changes[MAX_CHANGES];
    unsigned group = pick(model, GROUPS);
    size_t count = pick(model, MAX_CHANGES) + 1;
    for (size_t i = 0; i < count; i++) {
        changes[i] = random_change(c, model, model->values[group]);
    }
    assert_int_equal(contract_commit(c, group + 1, changes, count), OD_OK);
}

static void drop_group(struct contract *c, struct model *model)
{
    unsigned group = pick(model, GROUPS);
    for (unsigned i = 0; i < KEYS; i++) {
        model->values[group][i] = 0;
    }
    assert_int_equal(c->ops->group_drop(c->store, &c->cx, group + 1), OD_OK);
}

static od_str want_scan(struct contract *c, const unsigned *values, unsigned lo, unsigned hi,
                        bool reverse)
{
    struct od_buf text = {.arena = c->cx.arena};
    od_buf_printf(&text, "%s", "");
    for (unsigned i = lo; i < hi; i++) {
        unsigned at = reverse ? hi - 1 - (i - lo) : i;
        if (values[at] != 0) {
            od_buf_printf(&text, "%02u=%u ", at, values[at]);
        }
    }
    return od_buf_str(&text);
}

static void check_scan(struct contract *c, struct model *model, int round)
{
    unsigned group = pick(model, GROUPS);
    unsigned lo = pick(model, KEYS);
    unsigned hi = lo + 1 + pick(model, KEYS - lo);
    struct od_scan_range range = {.group = group + 1,
                                  .lo = bound_of(c->cx.arena, lo),
                                  .hi = bound_of(c->cx.arena, hi),
                                  .reverse = pick(model, 2) == 0};
    od_str want = want_scan(c, model->values[group], lo, hi, range.reverse);
    od_str got = contract_scan(c, NULL, &range);
    if (!od_str_eq(got, want)) {
        fail_msg("round %d, group %u, %u to %u: got \"%.*s\", want \"%.*s\"", round, group, lo, hi,
                 OD_STR_ARG(got), OD_STR_ARG(want));
    }
}

static void check_group(struct contract *c, const unsigned *want, unsigned group, int round)
{
    od_str keys[KEYS];
    od_str values[KEYS];
    for (unsigned i = 0; i < KEYS; i++) {
        keys[i] = key_of(c->cx.arena, i);
    }
    assert_int_equal(c->ops->get(c->store, &c->cx, NULL, group + 1, keys, KEYS, values), OD_OK);
    for (unsigned i = 0; i < KEYS; i++) {
        uint64_t got = 0;
        bool there = od_str_to_u64(values[i], &got);
        if (there != (want[i] != 0) || got != want[i]) {
            fail_msg("round %d, group %u, key %u", round, group, i);
        }
        assert_true(od_str_eq(contract_get(c, NULL, group + 1, keys[i]), values[i]));
    }
}

static void check_gets(struct contract *c, const struct model *model, int round)
{
    for (unsigned group = 0; group < GROUPS; group++) {
        check_group(c, model->values[group], group, round);
    }
}

static void random_changes_agree_with_a_plain_array(void **state)
{
    struct contract *c = *state;
    struct model model = {.random = 11};
    for (int round = 0; round < ROUNDS; round++) {
        od_mark mark = od_arena_mark(c->cx.arena);
        commit_changes(c, &model);
        if (pick(&model, 100) == 0) {
            drop_group(c, &model);
        }
        check_scan(c, &model, round);
        if (round % 20 == 0) {
            check_gets(c, &model, round);
        }
        if (contract_is_durable(c) && round % REOPEN_EVERY == REOPEN_EVERY - 1) {
            contract_reopen(c);
        }
        od_arena_rewind(c->cx.arena, mark);
    }
    check_gets(c, &model, ROUNDS);
}

const struct CMUnitTest contract_model_tests[] = {
    CONTRACT_TEST(random_changes_agree_with_a_plain_array),
};
const size_t contract_model_test_count = OD_COUNT(contract_model_tests);
