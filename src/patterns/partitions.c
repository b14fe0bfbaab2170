// Which of several partitions: shards of a hot key, buckets of time.
#include "base/random.h"
#include "ordna/patterns.h"

#include <assert.h>
#include <openssl/sha.h>
#include <string.h>

enum {
    MAX_HASHED_SHARDS = 256,       // one byte of the digest
    PARTITION_WRITES_PER_S = 1000, // what a partition takes: DynamoDB's limit
};

int32_t ordna_shard_of(const char *id, int32_t shards)
{
    if (id == NULL || shards < 1 || shards > MAX_HASHED_SHARDS) {
        return -1;
    }
    unsigned char digest[SHA256_DIGEST_LENGTH];
    (void)SHA256((const unsigned char *)id, strlen(id), digest);
    return digest[0] % shards;
}

int32_t ordna_shard_random(int32_t shards)
{
    if (shards < 1) {
        return -1;
    }
    uint64_t bits = 0;
    od_random_bytes(&bits, sizeof(bits));
    return (int32_t)(bits % (uint64_t)shards);
}

int32_t ordna_shards_needed(int64_t peak_writes_per_second)
{
    if (peak_writes_per_second <= PARTITION_WRITES_PER_S) {
        return 1;
    }
    int64_t shards = (peak_writes_per_second - 1) / PARTITION_WRITES_PER_S + 1;
    return shards > INT32_MAX ? INT32_MAX : (int32_t)shards;
}

int64_t ordna_bucket_of(ordna_time time, int64_t size_ms)
{
    assert(size_ms > 0);
    int64_t bucket = time / size_ms;
    return time % size_ms < 0 ? bucket - 1 : bucket;
}

size_t ordna_bucket_count(ordna_time from, ordna_time to, int64_t size_ms)
{
    if (to < from) {
        return 0;
    }
    uint64_t between =
        (uint64_t)ordna_bucket_of(to, size_ms) - (uint64_t)ordna_bucket_of(from, size_ms);
    return between == SIZE_MAX ? SIZE_MAX : (size_t)between + 1;
}
