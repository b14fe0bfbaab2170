#include "temp_dir.h"

#include <assert.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPEN_DIRS = 16 };

char *temp_dir_create(void)
{
    const char *base = getenv("TEST_DIR");
    char *dir = NULL;
    int len = asprintf(&dir, "%s/store-XXXXXX", base == NULL ? "." : base);
    assert(len > 0);
    char *made = mkdtemp(dir);
    assert(made != NULL);
    return made;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void temp_dir_remove(const char *dir)
{
    int failed = nftw(dir, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
    assert(failed == 0);
}
