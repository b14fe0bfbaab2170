// Units are counted in halves: DynamoDB's developer guide, "Read and write request units".
#include "engine/engine_internal.h"

enum {
    READ_UNIT_BYTES = 4096,
    WRITE_UNIT_BYTES = 1024,
    PARTITION_READ_UNITS = 3000,
    PARTITION_WRITE_UNITS = 1000,
    ON_DEMAND_PARTITIONS = 4, // of a new table
};

static int64_t units(size_t size_bytes, size_t unit_bytes)
{
    size_t count = (size_bytes + unit_bytes - 1) / unit_bytes;
    return count == 0 ? 1 : (int64_t)count;
}

int64_t od_read_halves(size_t size_bytes, bool consistent)
{
    return units(size_bytes, READ_UNIT_BYTES) * (consistent ? 2 : 1);
}

int64_t od_write_halves(size_t size_bytes)
{
    return units(size_bytes, WRITE_UNIT_BYTES) * 2;
}

static struct od_capacity_arm *arm_of(struct od_capacity *capacity, od_str index, bool is_local)
{
    for (size_t i = 0; i < capacity->arm_count; i++) {
        if (od_str_eq(capacity->arms[i].index, index)) {
            return &capacity->arms[i];
        }
    }
    struct od_capacity_arm *arm = &capacity->arms[capacity->arm_count++];
    *arm = (struct od_capacity_arm){.index = index, .is_local = is_local};
    return arm;
}

void od_capacity_charge(struct od_capacity *capacity, od_arena *arena, const struct od_index *index,
                        int64_t halves)
{
    if (index == NULL) {
        capacity->table_halves += halves;
        return;
    }
    // The name is copied: a result may outlive the table.
    od_str name = od_arena_copy(arena, index->name);
    arm_of(capacity, name, index->is_local)->halves += halves;
}

int64_t od_capacity_total(const struct od_capacity *capacity)
{
    int64_t total = capacity->table_halves;
    for (size_t i = 0; i < capacity->arm_count; i++) {
        total += capacity->arms[i].halves;
    }
    return total;
}

void od_capacity_add(struct od_capacity *total, const struct od_capacity *part)
{
    total->table_halves += part->table_halves;
    for (size_t i = 0; i < part->arm_count; i++) {
        const struct od_capacity_arm *arm = &part->arms[i];
        arm_of(total, arm->index, arm->is_local)->halves += arm->halves;
    }
}

uint32_t od_partition_count(const struct od_table *table, const struct od_index *index)
{
    if (table->settings.billing == OD_BILLING_PAY_PER_REQUEST) {
        return ON_DEMAND_PARTITIONS;
    }
    bool is_global = index != NULL && !index->is_local;
    struct od_throughput given = is_global ? index->throughput : table->settings.throughput;
    // ceil(read / 3000 + write / 1000), over the common denominator 3000.
    int64_t load =
        given.read_units + given.write_units * (PARTITION_READ_UNITS / PARTITION_WRITE_UNITS);
    return (uint32_t)units((size_t)load, PARTITION_READ_UNITS);
}
