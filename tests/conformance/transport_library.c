#include "transport.h"

#include <ftw.h>
#include <ordna/ordna.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_SIZE = 512, MAX_OPEN_FOLDERS = 8 };

struct transport {
    ordna *db;
    char *dir; // NUL-terminated; NULL for the memory store
};

static bool call(struct transport *t, od_arena *arena, od_str operation, od_str body,
                 struct answer *out, od_str *what)
{
    ordna_response response = {0};
    od_str name = od_arena_printf(arena, "%.*s", OD_STR_ARG(operation));
    if (ordna_call(t->db, name.ptr, body.ptr, body.len, &response) < 0) {
        *what = OD_STR("ordna_call did not answer");
        return false;
    }
    out->status = response.status;
    out->body = od_arena_copy(arena, (od_str){response.body, response.body_len});
    ordna_response_clear(&response);
    return true;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

static void close_library(struct transport *t)
{
    ordna_close(t->db);
    if (t->dir != NULL) {
        (void)nftw(t->dir, remove_entry, MAX_OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    }
}

static char *make_folder(od_arena *arena)
{
    const char *parent = getenv("TMPDIR");
    od_str path =
        od_arena_printf(arena, "%s/ordna-conformance-XXXXXX", parent != NULL ? parent : "/tmp");
    char *folder = od_arena_bytes(arena, path.len + 1);
    memcpy(folder, path.ptr, path.len);
    folder[path.len] = '\0';
    return mkdtemp(folder);
}

bool transport_open_library(od_arena *arena, const char *store, struct link *out, od_str *what)
{
    static const struct transport_ops ops = {.call = call, .close = close_library};
    struct transport *t = od_new(arena, struct transport);
    char error[ERROR_SIZE] = "";
    if (strcmp(store, "memory") != 0) {
        t->dir = make_folder(arena);
        if (t->dir == NULL) {
            *what = OD_STR("no folder for the store can be made");
            return false;
        }
    }
    const ordna_options options = {.store = store, .dir = t->dir, .durability = "relaxed"};
    if (ordna_open(&options, &t->db, error, sizeof(error)) != 0) {
        *what = od_arena_printf(arena, "the store does not open: %s", error);
        return false;
    }
    *out = (struct link){.ops = &ops, .transport = t};
    return true;
}
