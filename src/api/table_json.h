// Tables as DynamoDB describes them.
#ifndef OD_API_TABLE_JSON_H
#define OD_API_TABLE_JSON_H

#include "api/api_internal.h"

// For which answer: a new table is still CREATING, and one that goes is DELETING and tells less.
enum od_table_view {
    OD_TABLE_VIEW_CREATED,
    OD_TABLE_VIEW_DESCRIBED,
    OD_TABLE_VIEW_UPDATED,
    OD_TABLE_VIEW_DELETED,
};

// A TableDescription.
void od_table_json(struct od_buf *out, const struct od_table *table, enum od_table_view view);

// The same for UpdateTable's answer: of the job's result.
void od_table_updated_json(struct od_buf *out, const struct od_update_table_job *job);

#endif
