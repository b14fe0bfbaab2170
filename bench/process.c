#include "process.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

uint64_t process_cpu_ns(pid_t pid)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) {
        return 0;
    }
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// A line like "VmRSS:     1234 kB".
static bool read_rss_line(const char *line, uint64_t *out)
{
    od_str rest = od_cstr(line);
    if (!od_str_has_prefix(rest, OD_STR("VmRSS:"))) {
        return false;
    }
    rest = od_str_skip(rest, strcspn(rest.ptr, "0123456789"));
    return od_str_to_u64((od_str){rest.ptr, strspn(rest.ptr, "0123456789")}, out);
}

uint64_t process_rss_kb(pid_t pid)
{
    char path[64];
    char line[256];
    uint64_t rss = 0;
    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return 0;
    }
    while (fgets(line, sizeof(line), file) != NULL && !read_rss_line(line, &rss)) {
    }
    fclose(file);
    return rss;
}
