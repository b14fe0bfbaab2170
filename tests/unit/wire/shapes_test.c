// The tables made from shapes.txt.
#include "support.h"

#include "wire/shape/shape.h"

static void every_operation_has_a_shape(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "BatchExecuteStatement",
        "BatchGetItem",
        "BatchWriteItem",
        "CreateTable",
        "DeleteItem",
        "DeleteTable",
        "DescribeEndpoints",
        "DescribeLimits",
        "DescribeTable",
        "DescribeTimeToLive",
        "ExecuteStatement",
        "ExecuteTransaction",
        "GetItem",
        "ListTables",
        "ListTagsOfResource",
        "PutItem",
        "Query",
        "Scan",
        "TagResource",
        "TransactGetItems",
        "TransactWriteItems",
        "UntagResource",
        "UpdateItem",
        "UpdateTable",
        "UpdateTimeToLive",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        if (od_shape_of_input(od_cstr(rows[i])) == NULL) {
            fail_msg("there is no shape for %s", rows[i]);
        }
    }
    assert_int_equal(od_shape_input_count, OD_COUNT(rows));
}

static void what_is_no_operation_has_no_shape(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "getItem", "GetItemInput", "Zzz", "A", "GetItem "};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        if (od_shape_of_input(od_cstr(rows[i])) != NULL) {
            fail_msg("there is a shape for %s", rows[i]);
        }
    }
}

static void check_members(const struct od_shape *shape, size_t depth)
{
    assert_non_null(shape);
    for (size_t i = 0; i < shape->member_count; i++) {
        const struct od_shape_member *member = &shape->members[i];
        if (od_shape_find(shape, member->name) != member) {
            fail_msg("%.*s does not find its %.*s", OD_STR_ARG(shape->name),
                     OD_STR_ARG(member->name));
        }
        // Values hold values.
        if (depth < 8) {
            check_members(member->shape, depth + 1);
        }
    }
    if ((shape->kind == OD_SHAPE_LIST || shape->kind == OD_SHAPE_MAP) && depth < 8) {
        check_members(shape->of, depth + 1);
    }
}

static void every_member_is_found_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < od_shape_input_count; i++) {
        check_members(od_shape_inputs[i].shape, 0);
    }
}

static void other_names_are_not_found(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "key", "Keys", "Ke", "K", "tablename", "S", "\xFF"};
    const struct od_shape *shape = od_shape_of_input(OD_STR("GetItem"));
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        if (od_shape_find(shape, od_cstr(rows[i])) != NULL) {
            fail_msg("there is a member %s", rows[i]);
        }
    }
    // A structure without any member.
    assert_null(od_shape_find(od_shape_of_input(OD_STR("DescribeLimits")), OD_STR("a")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_has_a_shape),
        cmocka_unit_test(what_is_no_operation_has_no_shape),
        cmocka_unit_test(every_member_is_found_by_its_name),
        cmocka_unit_test(other_names_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
