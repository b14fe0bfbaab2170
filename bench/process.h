// What a process has used, from outside.
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

// User and system time of all its threads; 0 when there is no such process.
uint64_t process_cpu_ns(pid_t pid);

// Memory that it holds; 0 when there is no such process.
uint64_t process_rss_kb(pid_t pid);

#endif
