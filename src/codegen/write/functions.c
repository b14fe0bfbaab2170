// The generated functions that are the same for every entity, as patterns: $E is the entity's
// prefix, $T the table's, $N the entity's name.
#include "codegen/codegen_internal.h"

static const struct od_codegen_function entity_functions[] = {
    {"", NULL}, // the struct
    {"_entity", NULL},
    {"_fields", NULL},
    {"_segments", NULL},
    {"_templates", NULL},
    {"_keys", NULL},
    {"_key_text", "/* The text of a key of $N, for logs and for other programs. */\n"
                  "static inline ordna_status $E_key_text(\n"
                  "    ordna_session *session, ordna_key key, const char **out)\n"
                  "{\n"
                  "    return ordna_key_text(session, &key, out);\n"
                  "}\n"},
    {"_put", "static inline ordna_status $E_put(\n"
             "    ordna_session *session, $E *item, const ordna_expression *condition)\n"
             "{\n"
             "    return ordna_put(session, &$E_entity, item, condition);\n"
             "}\n"},
    {"_get", "/* Of `key` the fields of the table's key are used, here and below. */\n"
             "static inline ordna_status $E_get(\n"
             "    ordna_session *session, const $E *key, const ordna_read *read,\n"
             "    $E *out)\n"
             "{\n"
             "    return ordna_get(session, &$E_entity, key, read, out);\n"
             "}\n"},
    {"_get_many", "static inline ordna_status $E_get_many(\n"
                  "    ordna_session *session, const $E *keys, size_t count,\n"
                  "    const ordna_read *read, $E *out, bool *found)\n"
                  "{\n"
                  "    return ordna_get_many(session, &$E_entity, keys, count, read, out, found);\n"
                  "}\n"},
    {"_update", "static inline ordna_status $E_update(\n"
                "    ordna_session *session, const $E *key, const ordna_expression *update,\n"
                "    const ordna_expression *condition, $E *out)\n"
                "{\n"
                "    return ordna_update(session, &$E_entity, key, update, condition, out);\n"
                "}\n"},
    {"_delete", "static inline ordna_status $E_delete(\n"
                "    ordna_session *session, const $E *key, const ordna_expression *condition)\n"
                "{\n"
                "    return ordna_delete(session, &$E_entity, key, condition);\n"
                "}\n"},
    {"_query", "static inline ordna_status $E_query(\n"
               "    ordna_session *session, const ordna_query *query, ordna_stream **out)\n"
               "{\n"
               "    return ordna_stream_open(session, &$E_entity, query, out);\n"
               "}\n"},
    {"_next", "static inline ordna_status $E_next(ordna_stream *stream, $E *out)\n"
              "{\n"
              "    return ordna_stream_next(stream, &$E_entity, out);\n"
              "}\n"},
    {"_page", "typedef struct $E_page {\n"
              "    $E *items;\n"
              "    size_t count;\n"
              "    const char *next; /* for `from` of the next page; NULL: there is none */\n"
              "} $E_page;\n"},
    {"_query_page",
     "static inline ordna_status $E_query_page(\n"
     "    ordna_session *session, const ordna_query *query, $E_page *out)\n"
     "{\n"
     "    ordna_page page = {NULL, 0, NULL};\n"
     "    ordna_status status = ordna_query_page(session, &$E_entity, query, &page);\n"
     "    out->items = ($E *)page.items;\n"
     "    out->count = page.count;\n"
     "    out->next = page.next;\n"
     "    return status;\n"
     "}\n"},
    {"_query_count", "static inline ordna_status $E_query_count(\n"
                     "    ordna_session *session, const ordna_query *query, uint64_t *out)\n"
                     "{\n"
                     "    return ordna_query_count(session, &$E_entity, query, out);\n"
                     "}\n"},
    {"_batch_put", "static inline ordna_status $E_batch_put(\n"
                   "    ordna_batch *batch, const $E *item)\n"
                   "{\n"
                   "    return ordna_batch_put(batch, &$E_entity, item);\n"
                   "}\n"},
    {"_batch_delete", "static inline ordna_status $E_batch_delete(\n"
                      "    ordna_batch *batch, const $E *key)\n"
                      "{\n"
                      "    return ordna_batch_delete(batch, &$E_entity, key);\n"
                      "}\n"},
    {"_transaction_put",
     "static inline ordna_status $E_transaction_put(\n"
     "    ordna_transaction *transaction, $E *item,\n"
     "    const ordna_expression *condition)\n"
     "{\n"
     "    return ordna_transaction_put(transaction, &$E_entity, item, condition);\n"
     "}\n"},
    {"_transaction_update",
     "static inline ordna_status $E_transaction_update(\n"
     "    ordna_transaction *transaction, const $E *key,\n"
     "    const ordna_expression *update, const ordna_expression *condition)\n"
     "{\n"
     "    return ordna_transaction_update(transaction, &$E_entity, key, update, condition);\n"
     "}\n"},
    {"_transaction_delete",
     "static inline ordna_status $E_transaction_delete(\n"
     "    ordna_transaction *transaction, const $E *key,\n"
     "    const ordna_expression *condition)\n"
     "{\n"
     "    return ordna_transaction_delete(transaction, &$E_entity, key, condition);\n"
     "}\n"},
    {"_transaction_check",
     "static inline ordna_status $E_transaction_check(\n"
     "    ordna_transaction *transaction, const $E *key,\n"
     "    const ordna_expression *condition)\n"
     "{\n"
     "    return ordna_transaction_check(transaction, &$E_entity, key, condition);\n"
     "}\n"},
    {"_transaction_get",
     "static inline ordna_status $E_transaction_get(\n"
     "    ordna_transaction *transaction, const $E *key, $E *out,\n"
     "    bool *found)\n"
     "{\n"
     "    return ordna_transaction_get(transaction, &$E_entity, key, out, found);\n"
     "}\n"},
};
const struct od_codegen_functions od_codegen_entity_functions = {entity_functions,
                                                                 OD_COUNT(entity_functions)};

static const struct od_codegen_function table_functions[] = {
    {"_table", NULL},
    {"_item", NULL},
    {"_keys", NULL},
    {"_entities", NULL},
    {"_create_table", "/* Creates the table with its indexes and waits until it is there; fine if "
                      "it is already. */\n"
                      "static inline ordna_status $T_create_table(ordna_session *session)\n"
                      "{\n"
                      "    return ordna_create_table(session, &$T_table);\n"
                      "}\n"},
    {"_query", "/* Items of all entities, in the order of the sort key. */\n"
               "static inline ordna_status $T_query(\n"
               "    ordna_session *session, const ordna_query *query, ordna_stream **out)\n"
               "{\n"
               "    return ordna_stream_open_table(session, &$T_table, query, out);\n"
               "}\n"},
    {"_next", "static inline ordna_status $T_next(ordna_stream *stream, $T_item *out)\n"
              "{\n"
              "    return ordna_stream_next(stream, NULL, out);\n"
              "}\n"},
};
const struct od_codegen_functions od_codegen_table_functions = {table_functions,
                                                                OD_COUNT(table_functions)};
