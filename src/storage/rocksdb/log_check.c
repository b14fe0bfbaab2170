// A log is a series of blocks of 32 KB, a record a series of fragments that each fit in a block:
//
//   | checksum 4 | length 2 | type 1 | bytes |        type: whole, or first, middle, last
//
// all little-endian; the checksum is CRC-32C of what is behind the length, rotated and moved by a
// constant. What is left of a block is zeros when a fragment's head does not fit. A record is a
// batch:
//
//   | sequence number of its first row 8 | count of rows 4 | rows |
//
// A log may be written over an old one, which goes on behind its end. Its fragments have types of
// their own, and say whose they are:
//
//   | checksum 4 | length 2 | type 1 | number of the log 4 | bytes |
#include "storage/rocksdb/log_check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BLOCK_BYTES = 32 * 1024,
    HEAD_BYTES = 7,
    OVERWRITING_HEAD_BYTES = 11,
    BATCH_HEAD_BYTES = 12,
    LENGTH_BITS = 16,
    BYTE_BITS = 8,
    TYPE_AT = 6,
    CRC_BITS = 32,
    CRC_STEP = 8,
    CRC_MASK_ROTATION = 15,
    MAX_MANIFEST_NAME = 64,
};

static const uint32_t crc_polynomial = 0x82F63B78; // CRC-32C, bits reversed
static const uint32_t crc_mask = 0xA282EAD8;

// OVERWRITING is added to each of them.
enum fragment_type { WHOLE = 1, FIRST = 2, MIDDLE = 3, LAST = 4, OVERWRITING = 4 };

struct fragment {
    enum fragment_type type;
    const unsigned char *bytes;
    size_t size;
    size_t size_in_block; // with its head
    bool is_overwriting;
    uint32_t log_number; // of one that is
};

struct reader {
    od_ctx *cx;
    uint32_t tables[CRC_STEP][256];
    unsigned char block[BLOCK_BYTES];
    const char *file;
    uint32_t file_number;
    struct od_log_state *log;

    bool is_overwriting; // the file is written over an old log
    bool is_unused;      // or is yet to be
    bool is_past_end;    // of what could be read without a fault
    uint64_t end;        // where that was
    bool inside;         // a record has begun
    unsigned char batch_head[BATCH_HEAD_BYTES];
    size_t batch_head_size;
};

// --- Checksums ----------------------------------------------------------------------------------

static uint32_t next_bit(uint32_t crc)
{
    return (crc >> 1) ^ ((crc & 1) != 0 ? crc_polynomial : 0);
}

static void fill_tables(uint32_t tables[CRC_STEP][256])
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < BYTE_BITS; bit++) {
            crc = next_bit(crc);
        }
        tables[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; i++) {
        for (int step = 1; step < CRC_STEP; step++) {
            uint32_t before = tables[step - 1][i];
            tables[step][i] = (before >> 8) ^ tables[0][before & 0xFF];
        }
    }
}

// Eight bytes at a step: a log of 64 MB takes a few hundredths of a second.
static uint32_t checksum(const struct reader *reader, const unsigned char *at, size_t size)
{
    const uint32_t(*t)[256] = reader->tables;
    uint32_t crc = UINT32_MAX;
    for (; size >= CRC_STEP; size -= CRC_STEP, at += CRC_STEP) {
        crc = t[7][at[0] ^ (crc & 0xFF)] ^ t[6][at[1] ^ (crc >> 8 & 0xFF)] ^
              t[5][at[2] ^ (crc >> 16 & 0xFF)] ^ t[4][at[3] ^ (crc >> 24)] ^ t[3][at[4]] ^
              t[2][at[5]] ^ t[1][at[6]] ^ t[0][at[7]];
    }
    for (; size > 0; size--, at++) {
        crc = (crc >> 8) ^ t[0][(crc ^ *at) & 0xFF];
    }
    return ~crc;
}

static uint32_t masked(uint32_t crc)
{
    return (crc >> CRC_MASK_ROTATION | crc << (CRC_BITS - CRC_MASK_ROTATION)) + crc_mask;
}

static uint32_t unmasked(uint32_t crc)
{
    crc -= crc_mask;
    return crc << CRC_MASK_ROTATION | crc >> (CRC_BITS - CRC_MASK_ROTATION);
}

static uint64_t number(const unsigned char *at, size_t size)
{
    uint64_t n = 0;
    for (size_t i = size; i > 0; i--) {
        n = n << 8 | at[i - 1];
    }
    return n;
}

// --- Records ------------------------------------------------------------------------------------

static void note_damage(struct reader *reader, uint64_t offset)
{
    if (reader->log->whole) {
        reader->log->whole = false;
        reader->log->file = od_arena_copy(reader->cx->arena, od_cstr(reader->file));
        reader->log->offset = offset;
    }
}

// Here is no fragment of this log: its end, if an old one goes on behind it and nothing of this one
// comes any more.
static void note_end(struct reader *reader, uint64_t offset)
{
    if (reader->inside) {
        note_damage(reader, offset);
        reader->inside = false;
    }
    if (!reader->is_past_end) {
        reader->is_past_end = true;
        reader->end = offset;
    }
}

static void end_record(struct reader *reader)
{
    reader->inside = false;
    if (reader->batch_head_size < BATCH_HEAD_BYTES) {
        return;
    }
    uint64_t first = number(reader->batch_head, 8);
    uint64_t count = number(reader->batch_head + 8, 4);
    uint64_t last = first + count - (count > 0);
    if (last > reader->log->last_sequence) {
        reader->log->last_sequence = last;
    }
}

static void keep_batch_head(struct reader *reader, const struct fragment *fragment)
{
    size_t wanted = BATCH_HEAD_BYTES - reader->batch_head_size;
    size_t kept = fragment->size < wanted ? fragment->size : wanted;
    memcpy(reader->batch_head + reader->batch_head_size, fragment->bytes, kept);
    reader->batch_head_size += kept;
}

static void take_fragment(struct reader *reader, const struct fragment *fragment, uint64_t offset)
{
    if (reader->is_past_end) {
        note_damage(reader, reader->end);
        reader->log->damaged = true;
    }
    bool begins = fragment->type == WHOLE || fragment->type == FIRST;
    if (begins == reader->inside) {
        note_damage(reader, offset); // a record without an end, or without a beginning
        reader->inside = false;
    }
    if (begins) {
        reader->inside = true;
        reader->batch_head_size = 0;
    }
    if (!reader->inside) {
        return;
    }
    keep_batch_head(reader, fragment);
    if (fragment->type == WHOLE || fragment->type == LAST) {
        end_record(reader);
    }
}

// --- Blocks -------------------------------------------------------------------------------------

static size_t head_bytes(const unsigned char *at)
{
    return at[TYPE_AT] > LAST ? OVERWRITING_HEAD_BYTES : HEAD_BYTES;
}

// The checksum of a fragment whose head has that many bytes.
static uint32_t expected(const struct reader *reader, const unsigned char *at, size_t head,
                         size_t length)
{
    return checksum(reader, at + TYPE_AT, head - TYPE_AT + length);
}

static bool has_length(const struct reader *reader, const unsigned char *at, size_t left,
                       size_t length)
{
    size_t head = head_bytes(at);
    return head + length <= left &&
           masked(expected(reader, at, head, length)) == (uint32_t)number(at, 4);
}

static bool parse_fragment(const struct reader *reader, const unsigned char *at, size_t left,
                           struct fragment *out)
{
    size_t length = number(at + 4, 2);
    if (at[TYPE_AT] < WHOLE || at[TYPE_AT] > OVERWRITING + LAST ||
        !has_length(reader, at, left, length)) {
        return false;
    }
    bool is_overwriting = at[TYPE_AT] > LAST;
    *out = (struct fragment){
        .type = at[TYPE_AT] - (is_overwriting ? OVERWRITING : 0),
        .bytes = at + head_bytes(at),
        .size = length,
        .size_in_block = head_bytes(at) + length,
        .is_overwriting = is_overwriting,
        .log_number = is_overwriting ? (uint32_t)number(at + HEAD_BYTES, 4) : 0,
    };
    return true;
}

// --- Flipped bits. A write that was torn is not one bit away from a good one ---------------------

static bool right_length(const struct reader *reader, unsigned char *at, size_t left)
{
    for (int bit = 0; bit < LENGTH_BITS; bit++) {
        size_t other = number(at + 4, 2) ^ (size_t)1 << bit;
        if (has_length(reader, at, left, other)) {
            at[4 + bit / BYTE_BITS] ^= (unsigned char)(1 << bit % BYTE_BITS);
            return true;
        }
    }
    return false;
}

// A flipped bit changes a checksum in a way that depends on its distance from the end alone.
static bool right_content(unsigned char *bytes, size_t size, uint32_t difference)
{
    uint32_t effect = crc_polynomial;
    for (size_t i = size; i > 0; i--) {
        for (int bit = BYTE_BITS - 1; bit >= 0; bit--) {
            if (effect == difference) {
                bytes[i - 1] ^= (unsigned char)(1 << bit);
                return true;
            }
            effect = next_bit(effect);
        }
    }
    return false;
}

static bool right_checksum(unsigned char *at, uint32_t want)
{
    uint32_t difference = (uint32_t)number(at, 4) ^ masked(want);
    if (__builtin_popcount(difference) != 1) {
        return false;
    }
    int bit = __builtin_ctz(difference);
    at[bit / BYTE_BITS] ^= (unsigned char)(1 << bit % BYTE_BITS);
    return true;
}

static bool right_with_head(const struct reader *reader, unsigned char *at, size_t left,
                            size_t head)
{
    size_t length = number(at + 4, 2);
    if (head + length > left) {
        return false;
    }
    uint32_t want = expected(reader, at, head, length);
    uint32_t difference = unmasked((uint32_t)number(at, 4)) ^ want;
    return right_checksum(at, want) ||
           right_content(at + TYPE_AT, head - TYPE_AT + length, difference);
}

// Makes the fragment whole, in memory, if one bit is all that is wrong with it. That may be one
// which says how long its head is.
static bool put_right(const struct reader *reader, unsigned char *at, size_t left)
{
    size_t head = head_bytes(at);
    size_t other = head == HEAD_BYTES ? OVERWRITING_HEAD_BYTES : HEAD_BYTES;
    return right_length(reader, at, left) || right_with_head(reader, at, left, head) ||
           right_with_head(reader, at, left, other);
}

// How far the next fragment may be from a damaged one.
static size_t damaged_size(const unsigned char *at, size_t left)
{
    size_t length = number(at + 4, 2);
    return length > 0 && head_bytes(at) + length <= left ? head_bytes(at) + length : left;
}

static bool is_own(const struct reader *reader, const struct fragment *fragment)
{
    return fragment->is_overwriting ? fragment->log_number == reader->file_number
                                    : !reader->is_overwriting;
}

// A fragment of this log. One that is damaged is made whole in memory if that can be done.
static bool find_fragment(struct reader *reader, unsigned char *at, size_t left, uint64_t offset,
                          struct fragment *out)
{
    if (parse_fragment(reader, at, left, out)) {
        reader->is_overwriting = reader->is_overwriting || out->is_overwriting;
        reader->is_unused = reader->is_unused || (offset == 0 && !is_own(reader, out));
        return is_own(reader, out);
    }
    if (!put_right(reader, at, left) || !parse_fragment(reader, at, left, out) ||
        !is_own(reader, out)) {
        return false;
    }
    note_damage(reader, offset);
    reader->log->damaged = true;
    return true;
}

// Too little is left of the block for another head.
static bool is_padding(const unsigned char *at, size_t left)
{
    static const unsigned char zeros[OVERWRITING_HEAD_BYTES];
    return left < HEAD_BYTES || (left < sizeof(zeros) && memcmp(at, zeros, left) == 0);
}

static void read_block(struct reader *reader, size_t size, uint64_t offset)
{
    size_t at = 0;
    while (!is_padding(reader->block + at, size - at)) {
        struct fragment fragment = {0};
        unsigned char *next = reader->block + at;
        if (find_fragment(reader, next, size - at, offset + at, &fragment)) {
            take_fragment(reader, &fragment, offset + at);
            at += fragment.size_in_block;
        } else {
            note_end(reader, offset + at);
            at += damaged_size(next, size - at);
        }
    }
    if (size < BLOCK_BYTES && at < size) {
        note_end(reader, offset + at); // the file ends within a head
    }
}

// --- Files --------------------------------------------------------------------------------------

static bool fill_block(int fd, unsigned char *block, size_t *size)
{
    *size = 0;
    while (*size < BLOCK_BYTES) {
        ssize_t got = read(fd, block + *size, BLOCK_BYTES - *size);
        if (got < 0) {
            return false;
        }
        if (got == 0) {
            return true;
        }
        *size += (size_t)got;
    }
    return true;
}

static od_status read_blocks(struct reader *reader, int fd)
{
    uint64_t offset = 0;
    size_t size = BLOCK_BYTES;
    while (size == BLOCK_BYTES && !reader->is_unused) {
        if (!fill_block(fd, reader->block, &size)) {
            return OD_FAIL(reader->cx, OD_STORE_DOWN, "The log %s cannot be read: %s", reader->file,
                           strerror(errno));
        }
        read_block(reader, size, offset);
        offset += size;
    }
    if (reader->inside) {
        note_damage(reader, offset);
    }
    if (reader->is_past_end && !reader->is_overwriting) {
        note_damage(reader, reader->end);
    }
    return OD_OK;
}

// As much of it as a fragment says.
static uint32_t file_number(const char *name)
{
    uint32_t n = 0;
    for (; *name >= '0' && *name <= '9'; name++) {
        n = n * 10 + (uint32_t)(*name - '0');
    }
    return n;
}

static od_status read_file(struct reader *reader, const char *db_path, const char *name)
{
    reader->file = od_arena_printf(reader->cx->arena, "%s/%s", db_path, name).ptr;
    int fd = open(reader->file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return OD_FAIL(reader->cx, OD_STORE_DOWN, "The log %s cannot be opened: %s", reader->file,
                       strerror(errno));
    }
    reader->file_number = file_number(name);
    reader->is_overwriting = false;
    reader->is_unused = false;
    reader->is_past_end = false;
    reader->inside = false;
    od_status status = read_blocks(reader, fd);
    close(fd);
    return status;
}

static bool is_log(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && strcmp(name + digits, ".log") == 0;
}

static od_status read_files(struct reader *reader, const char *db_path, DIR *dir)
{
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (is_log(entry->d_name)) {
            OD_TRY(read_file(reader, db_path, entry->d_name));
        }
    }
    return OD_OK;
}

static bool is_empty_log(int dir_fd, const char *name)
{
    struct stat info = {0};
    return fstatat(dir_fd, name, &info, 0) == 0 && info.st_size == 0;
}

bool od_log_any(const char *db_path)
{
    DIR *dir = opendir(db_path);
    if (dir == NULL) {
        return false;
    }
    bool any = false;
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        any = any || (is_log(entry->d_name) && !is_empty_log(dirfd(dir), entry->d_name));
    }
    closedir(dir);
    return any;
}

static void remove_log(od_arena *arena, const char *db_path, const char *name)
{
    if (is_log(name)) {
        (void)unlink(od_arena_printf(arena, "%s/%s", db_path, name).ptr);
    }
}

void od_log_remove(const char *db_path)
{
    DIR *dir = opendir(db_path);
    if (dir == NULL) {
        return;
    }
    od_arena *arena = od_arena_create();
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        remove_log(arena, db_path, entry->d_name);
    }
    od_arena_destroy(arena);
    closedir(dir);
}

static struct reader *reader_create(od_ctx *cx, struct od_log_state *log)
{
    *log = (struct od_log_state){.whole = true};
    struct reader *reader = od_new(cx->arena, struct reader);
    reader->cx = cx;
    reader->log = log;
    fill_tables(reader->tables);
    return reader;
}

od_status od_log_look(od_ctx *cx, const char *db_path, struct od_log_state *out)
{
    struct reader *reader = reader_create(cx, out);
    DIR *dir = opendir(db_path);
    if (dir == NULL) {
        return OD_FAIL(cx, OD_STORE_DOWN, "%s cannot be read: %s", db_path, strerror(errno));
    }
    od_status status = read_files(reader, db_path, dir);
    closedir(dir);
    return status;
}

// What CURRENT says, without the line's end.
static bool read_current(od_ctx *cx, const char *db_path, char name[MAX_MANIFEST_NAME])
{
    int fd = open(od_arena_printf(cx->arena, "%s/CURRENT", db_path).ptr, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t got = read(fd, name, MAX_MANIFEST_NAME - 1);
    close(fd);
    name[got < 0 ? 0 : got] = '\0';
    name[strcspn(name, "\n")] = '\0';
    return strncmp(name, "MANIFEST-", sizeof("MANIFEST-") - 1) == 0 && strchr(name, '/') == NULL;
}

od_status od_manifest_look(od_ctx *cx, const char *db_path, struct od_log_state *out)
{
    struct reader *reader = reader_create(cx, out);
    char name[MAX_MANIFEST_NAME];
    if (!read_current(cx, db_path, name) ||
        access(od_arena_printf(cx->arena, "%s/%s", db_path, name).ptr, F_OK) != 0) {
        return OD_OK;
    }
    return read_file(reader, db_path, name);
}
