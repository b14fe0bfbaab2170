#include "api/transaction.h"

#include "api/ops/ops.h"

static bool is_of_table(const struct od_capacity *capacity, od_str table)
{
    return od_str_eq(od_api_table_name(capacity->table), od_api_table_name(table));
}

struct od_capacity *od_capacity_of(struct od_capacity *sums, size_t *count, od_str table)
{
    for (size_t i = 0; i < *count; i++) {
        if (is_of_table(&sums[i], table)) {
            return &sums[i];
        }
    }
    struct od_capacity *sum = &sums[(*count)++];
    *sum = (struct od_capacity){.table = table};
    return sum;
}

od_status od_transaction_check_answer(struct od_call *call)
{
    if (call->out.len > OD_ANSWER_MAX_BYTES) {
        return OD_FAIL(&call->cx, OD_VALIDATION,
                       "Transaction size has exceeded the maximum allowed size");
    }
    return OD_OK;
}

void od_transaction_capacities(struct od_buf *out, enum od_capacity_mode mode,
                               const struct od_capacity *const *parts, size_t count, bool is_read)
{
    if (mode == OD_CAPACITY_NONE) {
        return;
    }
    struct od_capacity *sums = od_new_array(out->arena, struct od_capacity, count);
    size_t tables = 0;
    for (size_t i = 0; i < count; i++) {
        od_capacity_add(od_capacity_of(sums, &tables, parts[i]->table), parts[i]);
    }
    od_json_member(out, "ConsumedCapacity");
    od_buf_put_byte(out, '[');
    for (size_t i = 0; i < tables; i++) {
        od_api_comma(out);
        od_api_transaction_capacity_object(out, mode, &sums[i], is_read);
    }
    od_buf_put_byte(out, ']');
}
