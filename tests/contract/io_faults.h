// The calls through which a store reaches the disk, counted and made to fail.
//
// The test program defines write, fdatasync and the like itself, and exports them. So the libraries
// that it loads find these first.
#ifndef OD_TESTS_IO_FAULTS_H
#define OD_TESTS_IO_FAULTS_H

#include <stddef.h>

enum io_call { IO_WRITE, IO_SYNC, IO_ALLOCATE, IO_CALLS };

struct io_fault {
    int error;          // 0: none
    const char *suffix; // of the names of the files that it hits; NULL: all files, directories too
    size_t whole;       // so many calls succeed first
    size_t part_bytes;  // IO_WRITE: so much of the first failing write is written
};

// Until the next call; {0} ends it. Counting starts again.
void io_fault_set(enum io_call call, struct io_fault fault);
size_t io_fault_count(enum io_call call);

#endif
