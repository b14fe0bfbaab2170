#include "engine/txn/token.h"

#include "base/clock.h"
#include "engine/engine_internal.h"
#include "engine/groups.h"

enum {
    TOKEN_LIFE_MS = 10 * 60 * 1000,
    PURGE_INTERVAL_MS = 1000,
    PURGE_ROWS = 1000,
    TIME_KEY_BYTES = 1 + 10,
};

static od_str bound_key(od_arena *arena, od_str token)
{
    struct od_buf key = {.arena = arena};
    od_buf_put_byte(&key, 'w');
    od_buf_put(&key, token);
    return od_buf_str(&key);
}

// "e", then 70 bits of milliseconds, seven a byte: rows sort by time.
static od_str time_key(od_arena *arena, int64_t expires_ms, od_str token)
{
    struct od_buf key = {.arena = arena};
    od_buf_put_byte(&key, 'e');
    for (int shift = 63; shift >= 0; shift -= 7) {
        od_buf_put_byte(&key, (unsigned char)(0x80 | (((uint64_t)expires_ms >> shift) & 0x7F)));
    }
    od_buf_put(&key, token);
    return od_buf_str(&key);
}

static od_value pack_int(od_arena *arena, uint64_t n)
{
    struct od_buf buf = {.arena = arena};
    od_pack_number(&buf, od_number_from_u64(n));
    return od_packed(&buf);
}

static uint64_t unpack_int(od_value v)
{
    od_number n = od_value_number(v);
    uint64_t result = (uint64_t)n.coefficient;
    for (int i = 0; i < n.exponent; i++) {
        result *= 10;
    }
    return result;
}

static od_value pack_sizes(od_arena *arena, const int64_t *sizes, size_t count)
{
    struct od_buf buf = {.arena = arena};
    size_t mark = od_pack_open(&buf, OD_TYPE_L);
    for (size_t i = 0; i < count; i++) {
        od_pack_number(&buf, od_number_from_u64((uint64_t)sizes[i]));
    }
    od_pack_close(&buf, mark, count);
    return od_packed(&buf);
}

void od_token_bind(struct od_batch *batch, od_ctx *cx, const struct od_token *token,
                   const int64_t *sizes, size_t count)
{
    int64_t expires_ms = od_clock_ms() + TOKEN_LIFE_MS;
    struct od_entry entries[] = {
        {OD_STR("expires_ms"), pack_int(cx->arena, (uint64_t)expires_ms)},
        {OD_STR("fingerprint"), pack_int(cx->arena, token->fingerprint)},
        {OD_STR("sizes"), pack_sizes(cx->arena, sizes, count)},
    };
    od_item row = od_item_pack(cx->arena, od_map_build(cx->arena, entries, OD_COUNT(entries)));
    od_batch_put(batch, OD_GROUP_TOKENS, bound_key(cx->arena, token->text),
                 (od_str){row.ptr, row.len});
    od_batch_put(batch, OD_GROUP_TOKENS, time_key(cx->arena, expires_ms, token->text), OD_STR("1"));
}

static void read_sizes(od_value list, int64_t *sizes, size_t count)
{
    size_t i = 0;
    for (struct od_iter it = od_iter(list); i < count && od_iter_next(&it); i++) {
        sizes[i] = (int64_t)unpack_int(it.value);
    }
}

od_status od_token_find(struct od_batch *batch, od_ctx *cx, const struct od_token *token,
                        int64_t *sizes, size_t count, bool *found)
{
    od_str row = {0};
    OD_TRY(od_batch_get(batch, cx, OD_GROUP_TOKENS, bound_key(cx->arena, token->text), &row));
    *found = false;
    if (row.ptr == NULL) {
        return OD_OK;
    }
    od_value map = od_item_map((od_item){row.ptr, row.len});
    if ((int64_t)unpack_int(od_map_get(map, OD_STR("expires_ms"))) <= od_clock_ms()) {
        return OD_OK;
    }
    if (unpack_int(od_map_get(map, OD_STR("fingerprint"))) != token->fingerprint) {
        return OD_FAIL(cx, OD_IDEMPOTENT_MISMATCH,
                       "The request uses the same client token as a previous, but non-identical "
                       "request. Do not reuse a client token with different requests, unless the "
                       "requests are identical");
    }
    read_sizes(od_map_get(map, OD_STR("sizes")), sizes, count);
    *found = true;
    return OD_OK;
}

struct purge {
    od_arena *arena;
    od_str keys[PURGE_ROWS];
    size_t count;
};

static bool collect_expired(void *arg, od_str key, od_str value)
{
    struct purge *purge = arg;
    (void)value;
    purge->keys[purge->count++] = od_arena_copy(purge->arena, key);
    return purge->count < PURGE_ROWS;
}

// A token may have been bound again since: its row stays unless it is over itself.
static od_status purge_one(struct od_batch *batch, od_ctx *cx, od_str expired, int64_t now_ms)
{
    od_batch_delete(batch, OD_GROUP_TOKENS, expired);
    od_str key = bound_key(cx->arena, od_str_skip(expired, TIME_KEY_BYTES));
    od_str row = {0};
    OD_TRY(od_batch_get(batch, cx, OD_GROUP_TOKENS, key, &row));
    if (row.ptr != NULL) {
        od_value map = od_item_map((od_item){row.ptr, row.len});
        if ((int64_t)unpack_int(od_map_get(map, OD_STR("expires_ms"))) <= now_ms) {
            od_batch_delete(batch, OD_GROUP_TOKENS, key);
        }
    }
    return OD_OK;
}

od_status od_token_purge(od_engine *engine, struct od_batch *batch, od_ctx *cx)
{
    int64_t now_ms = od_clock_ms();
    if (now_ms < engine->next_purge_ms) {
        return OD_OK;
    }
    engine->next_purge_ms = now_ms + PURGE_INTERVAL_MS;
    struct purge *purge = od_new(cx->arena, struct purge);
    purge->arena = cx->arena;
    struct od_scan_range over = {
        .group = OD_GROUP_TOKENS,
        .lo = OD_STR("e"),
        .hi = time_key(cx->arena, now_ms, OD_STR("")),
    };
    OD_TRY(engine->ops->scan(engine->store, cx, NULL, &over, collect_expired, purge));
    for (size_t i = 0; i < purge->count; i++) {
        OD_TRY(purge_one(batch, cx, purge->keys[i], now_ms));
    }
    return OD_OK;
}
