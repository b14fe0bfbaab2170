// libordna: the public header's functions over the operations.
#include "ordna/ordna.h"

#include "api/api.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Arenas of answers that were cleared, for the next calls.
enum { MAX_SPARE_ARENAS = 16 };

struct ordna {
    od_engine *engine;
    pthread_mutex_t lock;
    od_arena *spare[MAX_SPARE_ARENAS];
    size_t spare_count;
};

// What holds an answer: made in its own arena.
struct memory {
    ordna *db;
    od_arena *arena;
};

static od_arena *take_arena(ordna *db)
{
    od_arena *arena = NULL;
    pthread_mutex_lock(&db->lock);
    if (db->spare_count > 0) {
        arena = db->spare[--db->spare_count];
    }
    pthread_mutex_unlock(&db->lock);
    return arena == NULL ? od_arena_create() : arena;
}

static void give_arena(ordna *db, od_arena *arena)
{
    od_arena_reset(arena);
    pthread_mutex_lock(&db->lock);
    if (db->spare_count < MAX_SPARE_ARENAS) {
        db->spare[db->spare_count++] = arena;
        arena = NULL;
    }
    pthread_mutex_unlock(&db->lock);
    if (arena != NULL) {
        od_arena_destroy(arena);
    }
}

static od_status read_options(od_ctx *cx, const ordna_options *given, struct od_engine_options *out)
{
    out->store = given->store == NULL ? "rocksdb" : given->store;
    out->dir = given->dir;
    if (given->durability != NULL && strcmp(given->durability, "relaxed") == 0) {
        out->durability = OD_DURABILITY_RELAXED;
    } else if (given->durability != NULL && strcmp(given->durability, "sync") != 0) {
        return OD_FAIL(cx, OD_INTERNAL, "durability is \"sync\" or \"relaxed\", not \"%s\"",
                       given->durability);
    }
    if (given->dir == NULL && strcmp(out->store, "memory") != 0) {
        return OD_FAIL(cx, OD_INTERNAL, "a directory is needed for store %s", out->store);
    }
    return OD_OK;
}

static od_status open_engine(od_ctx *cx, const ordna_options *given, od_engine **out)
{
    struct od_engine_options options = {0};
    OD_TRY(read_options(cx, given, &options));
    return od_engine_open(cx, &options, out);
}

int ordna_open(const ordna_options *options, ordna **out, char *error, size_t error_size)
{
    *out = NULL;
    od_ctx cx = {.arena = od_arena_create()};
    od_engine *engine = NULL;
    od_status status = open_engine(&cx, options, &engine);
    if (status != OD_OK && error_size > 0) {
        snprintf(error, error_size, "%.*s", OD_STR_ARG(cx.error));
    }
    od_arena_destroy(cx.arena);
    if (status != OD_OK) {
        return -1;
    }
    ordna *db = calloc(1, sizeof(*db));
    if (db == NULL) {
        abort();
    }
    db->engine = engine;
    pthread_mutex_init(&db->lock, NULL);
    *out = db;
    return 0;
}

void ordna_close(ordna *db)
{
    if (db == NULL) {
        return;
    }
    od_engine_close(db->engine);
    while (db->spare_count > 0) {
        od_arena_destroy(db->spare[--db->spare_count]);
    }
    pthread_mutex_destroy(&db->lock);
    free(db);
}

int ordna_call(ordna *db, const char *operation, const char *body, size_t body_len,
               ordna_response *out)
{
    od_arena *arena = take_arena(db);
    struct memory *memory = od_new(arena, struct memory);
    *memory = (struct memory){.db = db, .arena = arena};
    struct od_call *call = od_new(arena, struct od_call);
    call->cx.arena = arena;
    call->engine = db->engine;
    call->operation = od_cstr(operation);
    call->body = (od_str){body, body_len};
    call->endpoint = OD_STR("localhost");
    od_api_call(call);

    size_t len = call->out.len;
    od_buf_put_byte(&call->out, '\0');
    *out = (ordna_response){
        .status = call->http_status, .body = call->out.ptr, .body_len = len, .memory = memory};
    return out->status;
}

void ordna_response_clear(ordna_response *response)
{
    const struct memory *memory = response->memory;
    if (memory != NULL) {
        give_arena(memory->db, memory->arena);
    }
    *response = (ordna_response){0};
}

const char *ordna_version(void)
{
    return OD_VERSION;
}
