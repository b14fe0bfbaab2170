#ifndef OD_BASE_UTF8_H
#define OD_BASE_UTF8_H

#include "base/str.h"

// Whether the bytes are well-formed UTF-8: no overlong form, no surrogate, nothing past U+10FFFF.
bool od_utf8_valid(od_str s);

// How many UTF-16 code units the text takes; `s` is well-formed.
size_t od_utf8_utf16_len(od_str s);

#endif
