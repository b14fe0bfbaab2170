#ifndef OD_ENGINE_CHANGE_UPDATE_CHECKS_H
#define OD_ENGINE_CHANGE_UPDATE_CHECKS_H

#include "engine/engine.h"

// Whether the table as it is now can be changed as the job asks.
od_status od_check_update_table(od_ctx *cx, const struct od_update_table_job *job,
                                const struct od_table *now);

// Whether the table can be deleted: not while an index is being made.
od_status od_check_table_may_go(od_ctx *cx, const struct od_table *table);

#endif
