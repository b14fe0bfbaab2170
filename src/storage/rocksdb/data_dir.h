// The directory that a store on disk lives in.
//
//   LOCK      held with flock while a process has the store open; says which
//   FORMAT    two lines: what this is, and the number of the format it is in
//   db/       the store's own files
//
// LOCK is made first and FORMAT last: a directory without FORMAT never acknowledged a write.
#ifndef OD_STORAGE_DATA_DIR_H
#define OD_STORAGE_DATA_DIR_H

#include "base/status.h"

enum { OD_DATA_FORMAT = 1 };

struct od_data_dir {
    char *path;
    char *db_path;
    int lock_fd;
    bool fresh; // has no FORMAT yet
};

// Makes the directory when it is missing (its parent must be there), and locks it. Whatever is
// found wrong is STORE_DOWN with a message that says what to do, and nothing on disk has changed.
od_status od_data_dir_open(od_ctx *cx, const char *path, struct od_data_dir *out);

// In a directory that has its FORMAT the database is there, or it is lost: STORE_DOWN, lest it be
// made anew.
od_status od_data_dir_check_db(od_ctx *cx, const struct od_data_dir *dir);

// Writes FORMAT where it is missing: from now on the directory is a store.
od_status od_data_dir_seal(od_ctx *cx, struct od_data_dir *dir);

// Whether a file could be written and synced, and there is space for the logs in db/ once more and
// for `spare_bytes`. Asks the file system itself, quotas and all: does it, and takes it away again.
bool od_data_dir_takes_writes(const struct od_data_dir *dir, uint64_t spare_bytes);

void od_data_dir_close(struct od_data_dir *dir);

#endif
