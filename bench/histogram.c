#include "histogram.h"

#include <stddef.h>

enum { LINEAR = 1 << HISTOGRAM_LINEAR_BITS };

// Below LINEAR each value has its bucket. Above, the highest bit picks the group, and the six bits
// under it the bucket in the group.
static size_t bucket_of(uint64_t value)
{
    if (value < LINEAR) {
        return (size_t)value;
    }
    unsigned shift = 63u - (unsigned)__builtin_clzll(value) - HISTOGRAM_LINEAR_BITS;
    return ((size_t)shift << HISTOGRAM_LINEAR_BITS) + (size_t)(value >> shift);
}

static uint64_t last_value_of(size_t bucket)
{
    if (bucket < 2 * (size_t)LINEAR) {
        return bucket;
    }
    unsigned shift = (unsigned)(bucket >> HISTOGRAM_LINEAR_BITS) - 1;
    uint64_t first = (uint64_t)(bucket % LINEAR + LINEAR) << shift;
    return first + (((uint64_t)1 << shift) - 1);
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->counts[bucket_of(value)]++;
    histogram->total++;
    if (value > histogram->max) {
        histogram->max = value;
    }
}

uint64_t histogram_quantile(const struct histogram *histogram, double part)
{
    uint64_t wanted = (uint64_t)(part * (double)histogram->total + 0.5);
    wanted = wanted == 0 ? 1 : wanted;
    uint64_t seen = 0;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += histogram->counts[i];
        if (seen >= wanted) {
            uint64_t last = last_value_of(i);
            return last < histogram->max ? last : histogram->max;
        }
    }
    return histogram->max;
}
