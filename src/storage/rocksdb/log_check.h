// Reads RocksDB's logs, and its manifest, as they are on the disk, apart from RocksDB.
//
// After a crash the last record may be torn, and RocksDB leaves it out, with whatever is behind it.
// That is right for a record that was never synced, and wrong for one that was damaged later: then
// what is behind it was acknowledged. So somebody has to look whether anything is behind it.
#ifndef OD_STORAGE_LOG_CHECK_H
#define OD_STORAGE_LOG_CHECK_H

#include "base/status.h"

struct od_log_state {
    bool whole; // all records are
    bool
        damaged; // one was, and is not: it would be whole but for one bit, or others come behind it
    // Of the first record that is not:
    od_str file;
    uint64_t offset;
    // The highest sequence number that a record gives to a row; 0 when there is none. Of records
    // that are whole, or would be but for one bit.
    uint64_t last_sequence;
};

// Looks at all logs in the directory `db_path`. STORE_DOWN when they cannot be read.
od_status od_log_look(od_ctx *cx, const char *db_path, struct od_log_state *out);

// The same of the manifest that is in use: the list of files, which is written as a log is. One
// that cannot be found is whole: RocksDB will say what is wrong.
od_status od_manifest_look(od_ctx *cx, const char *db_path, struct od_log_state *out);

// Whether a log in there is not empty, or cannot be looked at.
bool od_log_any(const char *db_path);
// Takes the logs away, as far as that can be done: of data that is in sorted files and closed.
void od_log_remove(const char *db_path);

#endif
