// The server's log: lines on stderr.
#ifndef OD_BASE_LOG_H
#define OD_BASE_LOG_H

#include "base/attr.h"

enum od_log_level { OD_LOG_ERROR, OD_LOG_WARN, OD_LOG_INFO };

// Writes "ordna: LEVEL: TEXT" as one line. Safe from any thread.
void od_log(enum od_log_level level, const char *fmt, ...) OD_PRINTF(2, 3);

#endif
