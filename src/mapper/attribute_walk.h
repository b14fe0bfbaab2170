// An item's attributes, one after the other. Nearly all are {"S":"text"} without a space, an escape
// or anything beyond ASCII: those are taken apart here, all else in attribute_walk.c.
#ifndef OD_MAPPER_ATTRIBUTE_WALK_H
#define OD_MAPPER_ATTRIBUTE_WALK_H

#include "base/buf.h"

#include <string.h>

enum od_attribute_kind {
    OD_ATTRIBUTE_ODD = 0, // no {"tag": value}
    OD_ATTRIBUTE_TEXT,    // a string of JSON
    OD_ATTRIBUTE_TRUE,
    OD_ATTRIBUTE_FALSE,
    OD_ATTRIBUTE_OTHER, // any other JSON
};

struct od_attribute {
    od_str name;
    const char *tag; // "S"; NULL: odd
    od_str text;     // TEXT: without escapes, a 0 behind it. OTHER: as it is written
    enum od_attribute_kind kind;
    bool has_zero; // TEXT: there is a 0 in it, too
    uint16_t mark; // of the name, to find it by
};

// Whether it is the name. (Byte by byte: what reads more at once would wait for the 0 behind it,
// which was written a moment ago.)
static inline bool od_attribute_is_named(const struct od_attribute *attribute, const char *name)
{
    size_t i = 0;
    while (i < attribute->name.len && attribute->name.ptr[i] == name[i] && name[i] != '\0') {
        i++;
    }
    return i == attribute->name.len && name[i] == '\0';
}

// The first two characters, which differ in most names.
static inline uint16_t od_attribute_mark(const char *name)
{
    uint16_t mark = 0;
    if (name[0] != '\0') {
        memcpy(&mark, name, sizeof(mark));
    }
    return mark;
}

struct od_attribute_walk {
    od_arena *arena; // for strings without their escapes
    char *at;        // zeros follow the text's end, at which every search stops
    char *end;
    bool more;   // another attribute begins at `at`
    bool broken; // it is no object of JSON
};

// Texts are in a copy that goes to the arena. What follows the object does not matter.
void od_attribute_walk_open(struct od_attribute_walk *walk, od_arena *arena, od_str json);
// Of any form. False when it makes no sense: the text is broken then.
bool od_attribute_walk_take(struct od_attribute_walk *walk, struct od_attribute *out);
// What follows an attribute, spaces included.
void od_attribute_walk_separate(struct od_attribute_walk *walk);

// --- Sixteen bytes at once ----------------------------------------------------------------------

// In what gcc and clang make of vectors on any processor.
typedef signed char od_stride __attribute__((vector_size(16)));
typedef uint64_t od_stride_words __attribute__((vector_size(16)));

static inline size_t od_first_byte(uint64_t word)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return (size_t)(little ? __builtin_ctzll(word) : __builtin_clzll(word)) / 8;
}

// To the quote, backslash or control character that comes first, or what is not ASCII: its bytes
// are the negative ones.
static inline char *od_find_odd(char *at)
{
    for (;; at += sizeof(od_stride)) {
        od_stride bytes;
        memcpy(&bytes, at, sizeof(bytes));
        const od_stride_words found =
            (od_stride_words)((bytes < ' ') | (bytes == '"') | (bytes == '\\'));
        if (found[0] != 0) {
            return at + od_first_byte(found[0]);
        }
        if (found[1] != 0) {
            return at + 8 + od_first_byte(found[1]);
        }
    }
}

// --- The usual attribute ------------------------------------------------------------------------

// What stands between a name and its text; instead of the dot there is the tag.
#define OD_BETWEEN "\":{\".\":\""

enum { OD_BETWEEN_LEN = sizeof(OD_BETWEEN) - 1, OD_TAG_AT = 4 };

static inline bool od_is_between(const char *at)
{
    static const unsigned char mask[OD_BETWEEN_LEN] = {255, 255, 255, 255, 0, 255, 255, 255};
    uint64_t found = 0;
    uint64_t wanted = 0;
    uint64_t known = 0;
    memcpy(&found, at, sizeof(found));
    memcpy(&wanted, OD_BETWEEN, sizeof(wanted));
    memcpy(&known, mask, sizeof(known));
    return ((found ^ wanted) & known) == 0 && at[OD_TAG_AT] >= 'A' && at[OD_TAG_AT] <= 'Z';
}

// An attribute whose name stands before `name_end`: where it ends; NULL when it has another form.
static inline char *od_take_usual(char *name, char *name_end, struct od_attribute *out)
{
    if (!od_is_between(name_end)) {
        return NULL;
    }
    char *text = name_end + OD_BETWEEN_LEN;
    char *text_end = od_find_odd(text);
    if (text_end[0] != '"' || text_end[1] != '}') {
        return NULL;
    }
    name_end[0] = name_end[OD_TAG_AT + 1] = text_end[0] = '\0';
    out->name = (od_str){name, (size_t)(name_end - name)};
    out->tag = name_end + OD_TAG_AT;
    out->text = (od_str){text, (size_t)(text_end - text)};
    out->kind = OD_ATTRIBUTE_TEXT;
    out->has_zero = false;
    return text_end + 2;
}

// Goes on behind an attribute.
static inline void od_attribute_walk_pass(struct od_attribute_walk *walk, char *end)
{
    walk->at = end;
    if (end[0] == ',' && end[1] == '"') {
        walk->at++;
    } else {
        od_attribute_walk_separate(walk);
    }
}

// Whether the next one has this name, and the usual form: it is taken then.
static inline bool od_attribute_walk_expect(struct od_attribute_walk *walk, const char *name,
                                            struct od_attribute *out)
{
    char *start = walk->at + 1;
    char *end = start;
    while (*name != '\0' && *end == *name) {
        end++;
        name++;
    }
    if (!walk->more || *name != '\0' || walk->at[0] != '"') {
        return false;
    }
    end = od_take_usual(start, end, out);
    if (end != NULL) {
        od_attribute_walk_pass(walk, end);
    }
    return end != NULL;
}

// False when there is none, or the text is broken.
static inline bool od_attribute_walk_next(struct od_attribute_walk *walk, struct od_attribute *out)
{
    if (!walk->more) {
        return false;
    }
    char *name = walk->at + 1;
    char *end = walk->at[0] == '"' ? od_take_usual(name, od_find_odd(name), out) : NULL;
    if (end == NULL && !od_attribute_walk_take(walk, out)) {
        return false;
    }
    od_attribute_walk_pass(walk, end == NULL ? walk->at : end);
    return true;
}

#endif
