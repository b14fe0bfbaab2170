#include "fault_store.h"

#include <stdatomic.h>

static struct {
    struct od_store_ops ops;
    const struct od_store_ops *inner;
    struct od_fault fault;
    atomic_uint_fast64_t calls;
} faults;

void od_fault_arm(struct od_fault fault)
{
    faults.fault = fault;
    atomic_store(&faults.calls, 0);
}

uint64_t od_fault_calls(void)
{
    return atomic_load(&faults.calls);
}

static bool fires(void)
{
    return atomic_fetch_add(&faults.calls, 1) + 1 == faults.fault.nth;
}

static od_status fail(od_ctx *cx)
{
    return OD_FAIL(cx, faults.fault.status, "A fault of the test");
}

static od_status group_drop(od_store *store, od_ctx *cx, od_group group)
{
    return fires() ? fail(cx) : faults.inner->group_drop(store, cx, group);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the seam's.
static od_status get(od_store *store, od_ctx *cx, od_snapshot *snapshot, od_group group,
                     const od_str *keys, size_t count, od_str *values)
{
    return fires() ? fail(cx) : faults.inner->get(store, cx, snapshot, group, keys, count, values);
}

static od_status scan(od_store *store, od_ctx *cx, od_snapshot *snapshot,
                      const struct od_scan_range *range, od_scan_visitor *visit, void *arg)
{
    return fires() ? fail(cx) : faults.inner->scan(store, cx, snapshot, range, visit, arg);
}

static od_status commit(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                        size_t count)
{
    if (!fires()) {
        return faults.inner->commit(store, cx, parts, count);
    }
    if (faults.fault.applied) {
        OD_TRY(faults.inner->commit(store, cx, parts, count));
    }
    return fail(cx);
}

static od_status snapshot_open(od_store *store, od_ctx *cx, od_snapshot **out)
{
    return fires() ? fail(cx) : faults.inner->snapshot_open(store, cx, out);
}

const struct od_store_ops *od_fault_store(const struct od_store_ops *inner)
{
    faults.inner = inner;
    faults.ops = *inner; // what is not replaced goes straight through
    faults.ops.group_drop = group_drop;
    faults.ops.get = get;
    faults.ops.scan = scan;
    faults.ops.commit = commit;
    faults.ops.snapshot_open = snapshot_open;
    od_fault_arm((struct od_fault){0});
    return &faults.ops;
}
