#include "base/random.h"

#include "support.h"

#include <string.h>

static void bytes_fill_all_of_the_room_and_no_more(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 16, 4096};
    for (size_t i = 0; i < OD_COUNT(sizes); i++) {
        unsigned char seen[4096] = {0}; // the bits that were ever set
        unsigned char room[4096 + 1] = {0};
        for (int round = 0; round < 64; round++) {
            od_random_bytes(room, sizes[i]);
            for (size_t at = 0; at < sizes[i]; at++) {
                seen[at] |= room[at];
            }
        }
        check_int(i, room[sizes[i]], 0);
        for (size_t at = 0; at < sizes[i]; at++) {
            check_int(i, seen[at], 0xFF); // wrong once in 10^15 runs
        }
    }
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static void uuids_are_of_version_4_and_differ(void **state)
{
    od_arena *arena = *state;
    od_str before = OD_STR("");
    for (size_t i = 0; i < 100; i++) {
        od_str uuid = od_random_uuid(arena);
        check_int(i, (int64_t)uuid.len, 36);
        for (size_t at = 0; at < uuid.len; at++) {
            bool is_dash = at == 8 || at == 13 || at == 18 || at == 23;
            check_int(i, is_dash ? uuid.ptr[at] == '-' : is_hex(uuid.ptr[at]), true);
        }
        check_int(i, uuid.ptr[14], '4');
        check_int(i, strchr("89ab", uuid.ptr[19]) != NULL, true);
        check_int(i, od_str_eq(uuid, before), false);
        before = uuid;
    }
}

static void request_ids_are_52_capitals_and_digits_and_differ(void **state)
{
    static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    (void)state;
    char before[OD_REQUEST_ID_LEN] = {0};
    bool seen[256] = {false};
    for (size_t i = 0; i < 1000; i++) {
        char id[OD_REQUEST_ID_LEN + 1] = {0};
        od_random_request_id(id);
        check_int(i, id[OD_REQUEST_ID_LEN], '\0');
        check_int(i, (int64_t)strspn(id, alphabet), OD_REQUEST_ID_LEN);
        check_int(i, memcmp(id, before, OD_REQUEST_ID_LEN) != 0, true);
        memcpy(before, id, OD_REQUEST_ID_LEN);
        for (size_t at = 0; at < OD_REQUEST_ID_LEN; at++) {
            seen[(unsigned char)id[at]] = true;
        }
    }
    for (size_t i = 0; alphabet[i] != '\0'; i++) {
        check_int(i, seen[(unsigned char)alphabet[i]], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_fill_all_of_the_room_and_no_more),
        TEST(uuids_are_of_version_4_and_differ),
        cmocka_unit_test(request_ids_are_52_capitals_and_digits_and_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
