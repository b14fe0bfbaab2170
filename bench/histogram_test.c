#include "histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
// cmocka wants the above first.
#include <cmocka.h>

static struct histogram *filled(const uint64_t *values, size_t count)
{
    struct histogram *histogram = calloc(1, sizeof(*histogram));
    assert_non_null(histogram);
    for (size_t i = 0; i < count; i++) {
        histogram_add(histogram, values[i]);
    }
    return histogram;
}

static void an_empty_histogram_answers_zero(void **state)
{
    (void)state;
    struct histogram *histogram = filled(NULL, 0);
    assert_int_equal(histogram_quantile(histogram, 0.5), 0);
    free(histogram);
}

static void each_value_comes_back_to_within_a_64th(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t power = (uint64_t)1 << bit;
        const uint64_t values[] = {power, power - 1, power + power / 3, power | (power - 1)};
        for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
            // A larger one, so that the answer is not cut to the largest.
            const uint64_t pair[] = {values[i], UINT64_MAX};
            struct histogram *histogram = filled(pair, 2);
            uint64_t got = histogram_quantile(histogram, 0.5);
            free(histogram);
            assert_true(got >= values[i]);
            assert_true(got - values[i] <= values[i] / 64);
        }
    }
}

static void quantiles_count_from_below(void **state)
{
    (void)state;
    uint64_t values[1000];
    for (size_t i = 0; i < 1000; i++) {
        values[i] = (i * 7919) % 1000 + 1;
    }
    struct histogram *histogram = filled(values, 1000);
    static const struct {
        double part;
        uint64_t want;
    } rows[] = {{0, 1}, {0.001, 1}, {0.05, 50}, {0.5, 500}, {0.99, 990}, {1, 1000}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t got = histogram_quantile(histogram, rows[i].part);
        if (got < rows[i].want || got - rows[i].want > rows[i].want / 64) {
            fail_msg("row %zu: got %llu", i, (unsigned long long)got);
        }
    }
    free(histogram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_histogram_answers_zero),
        cmocka_unit_test(each_value_comes_back_to_within_a_64th),
        cmocka_unit_test(quantiles_count_from_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
