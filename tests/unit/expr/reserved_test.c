#include "support.h"

#include "expr/expr_internal.h"

static void reserved_words_are_found_in_any_case(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "ABORT", "abort", "Abort",  "NAME",  "name", "status",         "ttl", "TTL", "ZONE",
        "zone",  "data",  "SIZE",   "size",  "Year", "localtimestamp", "set", "and", "between",
        "hash",  "range", "values", "count", "NULL", "delete"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_bool(rows[i], od_expr_is_reserved(od_cstr(rows[i])), true);
    }
}

static void other_words_are_not_reserved(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",     "a",     "remove", "REMOVE",          "pk",         "sk",   "id",  "nam", "names_",
        "ZON",  "ZONES", "ABOR",   "localtimestamps", "not_a_word", "zzzz", "A_B", "0",   "#name",
        "price"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_bool(rows[i], od_expr_is_reserved(od_cstr(rows[i])), false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reserved_words_are_found_in_any_case),
        TEST(other_words_are_not_reserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
