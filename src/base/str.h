// Byte slices: the only string type inside ordna.
#ifndef OD_BASE_STR_H
#define OD_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A borrowed run of bytes, passed by value. It is not NUL-terminated, and it lives as long as the
// arena or buffer that it points into. A NULL `ptr` stands for "none" where a comment says so.
typedef struct od_str {
    const char *ptr;
    size_t len;
} od_str;

#define OD_STR(literal) ((od_str){.ptr = (literal), .len = sizeof(literal) - 1})
// The same for static tables, where a compound literal is no constant.
#define OD_STR_INIT(literal)                         \
    {                                                \
        .ptr = (literal), .len = sizeof(literal) - 1 \
    }

// printf("%.*s", OD_STR_ARG(name))
#define OD_STR_ARG(s) (int)(s).len, (s).ptr

// From C text: arguments of main(), tests.
od_str od_cstr(const char *text);

bool od_str_eq(od_str a, od_str b);
bool od_str_eq_nocase(od_str a, od_str b); // ASCII letters alone
bool od_str_has_prefix(od_str s, od_str prefix);
// Whether `part` stands anywhere in `s`. The empty string stands everywhere.
bool od_str_contains(od_str s, od_str part);

// By unsigned bytes, a prefix before the longer string: DynamoDB's order of S and B.
int od_str_compare(od_str a, od_str b);

// `s` without its first `count` bytes; `count` is at most s.len.
od_str od_str_skip(od_str s, size_t count);

// `s` without spaces, tabs and line breaks at both ends.
od_str od_str_trim(od_str s);

// Reads a decimal number that fills all of `s`. False for anything else, overflow included.
bool od_str_to_u64(od_str s, uint64_t *out);

#endif
