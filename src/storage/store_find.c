// Stores by name: those that are built in, and those that are shared modules beside the program.
#include "storage/storage_internal.h"

#include "base/buf.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAME = 32 };

static const struct od_store_ops *const built_in[] = {&od_store_memory};

// What is looked through for a module, with what was tried so far for the message.
struct search {
    od_ctx *cx;
    od_str name;
    struct od_buf tried;
    const struct od_store_ops *found;
};

static bool is_name(od_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_') {
            return false;
        }
    }
    return name.len > 0 && name.len <= MAX_NAME;
}

static const struct od_store_ops *find_built_in(od_str name)
{
    for (size_t i = 0; i < OD_COUNT(built_in); i++) {
        if (od_str_eq(od_cstr(built_in[i]->name), name)) {
            return built_in[i];
        }
    }
    return NULL;
}

// A module stays loaded: what it brings along (C++ libraries) does not like to be taken away.
static od_status load(struct search *search, const char *file)
{
    // The module itself is linked so that all it needs is there. What the libraries below it call
    // of each other is found when they do: looking up all of RocksDB's takes a tenth of the start.
    void *module = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (module == NULL) {
        return OD_FAIL(
            search->cx, OD_STORE_DOWN,
            "The store \"%.*s\" cannot be loaded: %s. Install the libraries that it needs",
            OD_STR_ARG(search->name), dlerror());
    }
    od_str symbol = od_arena_printf(search->cx->arena, "od_store_%.*s", OD_STR_ARG(search->name));
    const struct od_store_ops *ops = dlsym(module, symbol.ptr);
    if (ops == NULL || ops->abi != OD_STORE_ABI) {
        return OD_FAIL(search->cx, OD_STORE_DOWN,
                       "The store module %s belongs to another version of ordna: install the one "
                       "that came with this version",
                       file);
    }
    search->found = ops;
    return OD_OK;
}

static od_status look_in(struct search *search, const char *dir, const char *below)
{
    if (search->found != NULL || dir == NULL || dir[0] == '\0') {
        return OD_OK;
    }
    od_str file = od_arena_printf(search->cx->arena, "%s%s/ordna-store-%.*s.so", dir, below,
                                  OD_STR_ARG(search->name));
    if (access(file.ptr, F_OK) != 0) {
        od_buf_printf(&search->tried, "%s%s", search->tried.len > 0 ? ", " : "", file.ptr);
        return OD_OK;
    }
    return load(search, file.ptr);
}

// The directory that the running program is in, or NULL.
static const char *program_dir(od_ctx *cx)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
    const char *slash = len <= 0 ? NULL : memrchr(path, '/', (size_t)len);
    if (slash == NULL) {
        return NULL;
    }
    return od_arena_copy(cx->arena, (od_str){path, (size_t)(slash - path)}).ptr;
}

od_status od_store_find(od_ctx *cx, const char *name, const struct od_store_ops **out)
{
    struct search search = {.cx = cx, .name = od_cstr(name), .tried = {.arena = cx->arena}};
    if (!is_name(search.name)) {
        return OD_FAIL(cx, OD_STORE_DOWN,
                       "\"%.*s\" is not the name of a store: use \"memory\" or \"rocksdb\"",
                       MAX_NAME, name);
    }
    *out = find_built_in(search.name);
    if (*out != NULL) {
        return OD_OK;
    }
    const char *program = program_dir(cx);
    OD_TRY(look_in(&search, getenv("ORDNA_STORE_DIR"), ""));
    OD_TRY(look_in(&search, program, ""));
    OD_TRY(look_in(&search, program, "/src/storage")); // in a build tree
    OD_TRY(look_in(&search, OD_STORE_DIR, ""));
    if (search.found == NULL) {
        return OD_FAIL(cx, OD_STORE_DOWN,
                       "There is no store \"%s\" here. It is a module, looked for as %.*s. Install "
                       "it, or name its directory in ORDNA_STORE_DIR",
                       name, OD_STR_ARG(od_buf_str(&search.tried)));
    }
    *out = search.found;
    return OD_OK;
}
