// Logs written by hand, with a checksum of the test's own, and damaged in every way.
#include "storage/rocksdb/log_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { BLOCK = 32 * 1024, HEAD = 7, MAX_LOG = 8 * BLOCK, NUMBER = 7 };

struct log {
    unsigned char bytes[MAX_LOG];
    size_t size;
    uint64_t next_sequence;
    size_t starts[64]; // of records
    size_t count;
    uint32_t number; // of one that is written over an old log, or 0
    size_t end;      // of its own records
};

static char dir[64];

// --- Writing ------------------------------------------------------------------------------------

static uint32_t crc32c(const unsigned char *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78u : 0);
        }
    }
    return ~crc;
}

static void put_number(unsigned char *at, uint64_t n, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        at[i] = (unsigned char)(n >> 8 * i);
    }
}

static size_t head_of(const struct log *log)
{
    return log->number > 0 ? HEAD + 4 : HEAD;
}

static void put_fragment(struct log *log, unsigned char type, const unsigned char *bytes,
                         size_t size)
{
    unsigned char *at = log->bytes + log->size;
    size_t head = head_of(log);
    assert_true(log->size + head + size <= MAX_LOG);
    at[6] = log->number > 0 ? type + 4 : type;
    put_number(at + HEAD, log->number, head - HEAD);
    memcpy(at + head, bytes, size);
    put_number(at + 4, size, 2);
    uint32_t crc = crc32c(at + 6, head - 6 + size);
    put_number(at, (crc >> 15 | crc << 17) + 0xA282EAD8u, 4);
    log->size += head + size;
}

static void put_bytes(struct log *log, const unsigned char *bytes, size_t size)
{
    bool first = true;
    bool last = false;
    size_t head = head_of(log);
    while (!last) {
        size_t left = BLOCK - log->size % BLOCK;
        if (left < head) {
            memset(log->bytes + log->size, 0, left);
            log->size += left;
            continue;
        }
        size_t part = size < left - head ? size : left - head;
        last = part == size;
        put_fragment(log, first && last ? 1 : first ? 2 : last ? 4 : 3, bytes, part);
        bytes += part;
        size -= part;
        first = false;
    }
}

// A batch of three rows.
static void put_record(struct log *log, size_t size)
{
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(i * 7 + log->count);
    }
    put_number(bytes, log->next_sequence, 8);
    put_number(bytes + 8, 3, 4);
    log->next_sequence += 3;
    log->starts[log->count++] = log->size;
    put_bytes(log, bytes, size);
    free(bytes);
}

static void put_records(struct log *log, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put_record(log, i == 2 || i == 7 ? 40000 + i : 500 + 100 * i);
    }
    log->end = log->size;
}

// Ten records, of which the third and the eighth lie in several blocks.
static void fill(struct log *log)
{
    *log = (struct log){.next_sequence = 1};
    put_records(log, 10);
}

// So many of them, over a log of three times the size that had the sequence numbers before.
static void fill_over_old(struct log *log, size_t count)
{
    *log = (struct log){.next_sequence = 1, .number = NUMBER - 2};
    put_record(log, 333); // so that hardly a record begins where one of the old log does
    put_records(log, 10);
    put_records(log, 5);
    size_t old_size = log->size;
    log->next_sequence = 100;
    log->number = NUMBER;
    log->size = 0;
    log->count = 0;
    put_records(log, count);
    log->size = old_size;
}

static void fill_over_old_ten(struct log *log)
{
    fill_over_old(log, 10);
}

static void (*const fills[])(struct log *) = {fill, fill_over_old_ten};

static void store_log(const struct log *log, const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", dir, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(log->bytes, 1, log->size, file), log->size);
    assert_int_equal(fclose(file), 0);
}

static struct od_log_state look_at(const struct log *log)
{
    od_ctx cx = {.arena = od_arena_create()};
    struct od_log_state state = {0};
    store_log(log, "000007.log");
    assert_int_equal(od_log_look(&cx, dir, &state), OD_OK);
    state.file = (od_str){0};
    od_arena_destroy(cx.arena);
    return state;
}

static int make_dir(void **state)
{
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/ordna-log-XXXXXX");
    return mkdtemp(dir) == NULL;
}

static int remove_dir(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof(path), "%s/000007.log", dir);
    unlink(path);
    return rmdir(dir);
}

// --- Tests --------------------------------------------------------------------------------------

static void a_directory_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    od_ctx cx = {.arena = od_arena_create()};
    struct od_log_state log = {0};
    assert_int_equal(od_log_look(&cx, "/nowhere/at/all", &log), OD_STORE_DOWN);
    od_arena_destroy(cx.arena);
}

static void a_whole_log_is_whole(void **state)
{
    (void)state;
    struct log log;
    fill(&log);
    struct od_log_state found = look_at(&log);
    assert_true(found.whole);
    assert_int_equal(found.last_sequence, 30);
}

static void an_empty_log_is_whole(void **state)
{
    (void)state;
    struct log log = {0};
    assert_true(look_at(&log).whole);
    assert_int_equal(look_at(&log).last_sequence, 0);
}

// However little room is left in a block: a batch's own head may lie in two.
static void records_may_begin_anywhere_in_a_block(void **state)
{
    (void)state;
    for (size_t left = 0; left < 40; left++) {
        for (uint32_t number = 0; number <= NUMBER; number += NUMBER) {
            struct log log = {.next_sequence = 1, .number = number};
            put_record(&log, BLOCK - head_of(&log) - left);
            put_record(&log, 100);
            struct od_log_state found = look_at(&log);
            if (!found.whole || found.last_sequence != 6) {
                fail_msg("log %u, %zu bytes left: last sequence %llu", number, left,
                         (unsigned long long)found.last_sequence);
            }
        }
    }
}

static void a_log_that_ends_within_a_record_has_nothing_behind_it(void **state)
{
    (void)state;
    struct log log;
    fill(&log);
    size_t whole = log.size;
    for (size_t lost = 1; lost < whole - log.starts[9]; lost += 13) {
        log.size = whole - lost;
        struct od_log_state found = look_at(&log);
        if (found.whole || found.last_sequence != 27 || found.offset < log.starts[9]) {
            fail_msg("%zu bytes lost: last sequence %llu, at %llu", lost,
                     (unsigned long long)found.last_sequence, (unsigned long long)found.offset);
        }
    }
}

static void zeros_in_the_last_record_leave_what_was_before(void **state)
{
    (void)state;
    struct log log;
    fill(&log);
    for (size_t from = log.starts[9]; from < log.size; from += 100) {
        struct log torn = log;
        memset(torn.bytes + from, 0, log.size - from);
        struct od_log_state found = look_at(&torn);
        if (found.whole || found.last_sequence != 27) {
            fail_msg("zeros from %zu: last sequence %llu", from,
                     (unsigned long long)found.last_sequence);
        }
    }
}

// In the head and content of every record, the last one too.
static void one_flipped_bit_hides_no_record(void **state)
{
    (void)state;
    for (size_t f = 0; f < OD_COUNT(fills); f++) {
        struct log log;
        fills[f](&log);
        for (size_t bit = 0; bit < log.end * 8; bit += bit % 80000 < 64 ? 1 : 3989) {
            log.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            struct od_log_state found = look_at(&log);
            if (found.last_sequence != log.next_sequence - 1) {
                fail_msg("log %zu, bit %zu: last sequence %llu", f, bit,
                         (unsigned long long)found.last_sequence);
            }
            log.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
}

static void every_flipped_bit_of_a_head_is_noticed(void **state)
{
    (void)state;
    for (size_t f = 0; f < OD_COUNT(fills); f++) {
        struct log log;
        fills[f](&log);
        for (size_t i = 0; i < log.count; i += 3) {
            for (size_t bit = 0; bit < head_of(&log) * 8; bit++) {
                unsigned char *byte = log.bytes + log.starts[i] + bit / 8;
                *byte ^= (unsigned char)(1 << bit % 8);
                struct od_log_state found = look_at(&log);
                if (found.whole || found.offset != log.starts[i] ||
                    found.last_sequence != log.next_sequence - 1) {
                    fail_msg("log %zu, record %zu, bit %zu", f, i, bit);
                }
                *byte ^= (unsigned char)(1 << bit % 8);
            }
        }
    }
}

static void what_is_behind_a_spoilt_record_is_seen(void **state)
{
    (void)state;
    for (size_t f = 0; f < OD_COUNT(fills); f++) {
        struct log log;
        fills[f](&log);
        for (size_t i = 0; i < 9; i++) {
            struct log spoilt = log;
            memset(spoilt.bytes + spoilt.starts[i] + head_of(&log) + 1, 0xAA, 100);
            struct od_log_state found = look_at(&spoilt);
            if (found.whole || found.offset != log.starts[i] ||
                found.last_sequence != log.next_sequence - 1) {
                fail_msg("log %zu, record %zu: last sequence %llu", f, i,
                         (unsigned long long)found.last_sequence);
            }
        }
    }
}

// --- Over an old log ----------------------------------------------------------------------------

static void an_old_log_behind_the_end_is_nothing(void **state)
{
    (void)state;
    for (size_t count = 0; count <= 10; count++) {
        struct log log;
        fill_over_old(&log, count);
        struct od_log_state found = look_at(&log);
        size_t want = count == 0 ? 0 : log.next_sequence - 1;
        if (!found.whole || found.last_sequence != want) {
            fail_msg("%zu records: last sequence %llu", count,
                     (unsigned long long)found.last_sequence);
        }
    }
}

static void a_flipped_bit_of_an_old_log_is_nothing(void **state)
{
    (void)state;
    struct log log;
    fill_over_old(&log, 4);
    for (size_t bit = log.end * 8; bit < log.size * 8; bit += 7993) {
        log.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        struct od_log_state found = look_at(&log);
        if (!found.whole || found.last_sequence != log.next_sequence - 1) {
            fail_msg("bit %zu", bit);
        }
        log.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

// Of the eighth record, in two blocks, the bytes from some place on are still the old log's; or
// those before it.
static void a_record_that_did_not_reach_the_disk_whole_is_left_out(void **state)
{
    (void)state;
    struct log before;
    struct log log;
    fill_over_old(&before, 7);
    fill_over_old(&log, 8);
    for (size_t at = before.end + 1; at < log.end; at += 1511) {
        struct log torn = log;
        memcpy(torn.bytes + at, before.bytes + at, log.size - at);
        struct od_log_state found = look_at(&torn);
        if (found.last_sequence != before.next_sequence - 1) {
            fail_msg("old from %zu on: last sequence %llu", at,
                     (unsigned long long)found.last_sequence);
        }
        torn = log;
        memcpy(torn.bytes + before.end, before.bytes + before.end, at - before.end);
        found = look_at(&torn);
        if (found.last_sequence != before.next_sequence - 1) {
            fail_msg("old up to %zu: last sequence %llu", at,
                     (unsigned long long)found.last_sequence);
        }
    }
}

// As far as later blocks tell: a disk keeps what it has synced, or none of this helps.
static void a_record_that_an_old_one_is_in_the_place_of_is_missed(void **state)
{
    (void)state;
    struct log old;
    struct log log;
    fill_over_old(&old, 0);
    fill_over_old(&log, 10);
    for (size_t i = 1; i < 7; i++) {
        struct log spoilt = log;
        size_t at = log.starts[i];
        memcpy(spoilt.bytes + at, old.bytes + at, log.starts[i + 1] - at);
        struct od_log_state found = look_at(&spoilt);
        if (found.whole || found.offset != at || found.last_sequence != log.next_sequence - 1) {
            fail_msg("record %zu: last sequence %llu", i, (unsigned long long)found.last_sequence);
        }
    }
}

static void noise_is_no_log(void **state)
{
    (void)state;
    struct log log = {.size = 3 * BLOCK + 5};
    uint32_t noise = 1;
    for (size_t i = 0; i < log.size; i++) {
        noise = noise * 1103515245 + 12345;
        log.bytes[i] = (unsigned char)(noise >> 16);
    }
    struct od_log_state found = look_at(&log);
    assert_false(found.whole);
    assert_int_equal(found.offset, 0);
    assert_int_equal(found.last_sequence, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_that_is_not_there_is_an_error),
        cmocka_unit_test(a_whole_log_is_whole),
        cmocka_unit_test(an_empty_log_is_whole),
        cmocka_unit_test(records_may_begin_anywhere_in_a_block),
        cmocka_unit_test(a_log_that_ends_within_a_record_has_nothing_behind_it),
        cmocka_unit_test(zeros_in_the_last_record_leave_what_was_before),
        cmocka_unit_test(one_flipped_bit_hides_no_record),
        cmocka_unit_test(every_flipped_bit_of_a_head_is_noticed),
        cmocka_unit_test(what_is_behind_a_spoilt_record_is_seen),
        cmocka_unit_test(an_old_log_behind_the_end_is_nothing),
        cmocka_unit_test(a_flipped_bit_of_an_old_log_is_nothing),
        cmocka_unit_test(a_record_that_did_not_reach_the_disk_whole_is_left_out),
        cmocka_unit_test(a_record_that_an_old_one_is_in_the_place_of_is_missed),
        cmocka_unit_test(noise_is_no_log),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
