// The steps that ops.def names. Each operation's are in op_<name>.c, those of several operations
// in item_write.c and read.c.
#ifndef OD_API_OPS_OPS_H
#define OD_API_OPS_OPS_H

#include "api/api_internal.h"

// An answer of several items that is longer takes no item more: a number of 2 bytes is up to 135
// in JSON.
enum { OD_ANSWER_MAX_BYTES = 64 * 1024 * 1024 };

od_op_step od_get_item_decode;
od_op_step od_get_item_run;
od_op_encode od_get_item_encode;

od_op_step od_put_item_decode;
od_op_step od_update_item_decode;
od_op_encode od_update_item_encode;
od_op_step od_delete_item_decode;
od_op_encode od_item_write_encode;

od_op_step od_query_decode;
od_op_step od_scan_decode;
od_op_step od_read_run;
od_op_encode od_read_encode;

od_op_step od_batch_get_item_decode;
od_op_step od_batch_get_item_run;
od_op_encode od_batch_get_item_encode;
od_op_step od_batch_write_item_decode;
od_op_apply od_batch_write_item_apply;
od_op_encode od_batch_write_item_encode;

od_op_step od_transact_write_items_decode;
od_op_encode od_transact_write_items_encode;
od_op_step od_transact_get_items_decode;
od_op_step od_transact_get_items_run;
od_op_encode od_transact_get_items_encode;

od_op_step od_execute_statement_decode;
od_op_step od_execute_statement_run;
od_op_encode od_execute_statement_encode;
od_op_step od_batch_execute_statement_decode;
od_op_step od_batch_execute_statement_run;
od_op_encode od_batch_execute_statement_encode;
od_op_step od_execute_transaction_decode;
od_op_step od_execute_transaction_run;
od_op_encode od_execute_transaction_encode;

od_op_step od_create_table_decode;
od_op_encode od_create_table_encode;
od_op_step od_describe_table_decode;
od_op_step od_describe_table_run;
od_op_encode od_describe_table_encode;
od_op_step od_list_tables_decode;
od_op_step od_list_tables_run;
od_op_encode od_list_tables_encode;
od_op_step od_delete_table_decode;
od_op_encode od_delete_table_encode;

od_op_step od_update_table_decode;
od_op_encode od_update_table_encode;

od_op_step od_tag_resource_decode;
od_op_step od_untag_resource_decode;
od_op_encode od_tags_changed_encode;
od_op_step od_list_tags_decode;
od_op_step od_list_tags_run;
od_op_encode od_list_tags_encode;

od_op_encode od_describe_limits_encode;
od_op_encode od_describe_endpoints_encode;

#endif
