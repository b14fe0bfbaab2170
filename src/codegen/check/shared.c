// Entities of one table that can have the same key.
#include "codegen/codegen_internal.h"

// What an entity's key can be; NULL: anything.
struct key_texts {
    const struct od_codegen_texts *partition;
    const struct od_codegen_texts *sort;
};

static struct key_texts texts_of(od_arena *arena, const struct od_codegen_entity *entity)
{
    const struct od_codegen_table_key *own = entity->table->keys;
    struct key_texts texts = {0};
    if (own->partition_type == OD_CODEGEN_STRING) {
        texts.partition = od_codegen_texts_of(arena, &entity->keys->partition);
    }
    if (own->sort.text.ptr != NULL && own->sort_type == OD_CODEGEN_STRING) {
        texts.sort = od_codegen_texts_of(arena, &entity->keys->sort);
    }
    return texts;
}

static bool can_be_one(const struct od_codegen_texts *a, const struct od_codegen_texts *b)
{
    return a == NULL || od_codegen_overlaps(a, b);
}

static void warn(const struct od_codegen_entity *entity, const struct od_codegen_entity *before)
{
    struct od_codegen_file *file = entity->table->file;
    od_codegen_warn(entity, entity->keys->partition.text.at, OD_CODEGEN_SHARED_KEY,
                    od_codegen_show(file, entity->name.text),
                    od_codegen_show(file, before->name.text),
                    od_codegen_number(file, before->name.at.line));
}

void od_codegen_advise_on_shared_keys(const struct od_codegen_table *table)
{
    od_arena *arena = od_arena_create();
    struct key_texts *texts = od_new_array(arena, struct key_texts, table->entity_count);
    size_t i = 0;
    for (const struct od_codegen_entity *entity = table->entities; entity != NULL;
         entity = entity->next, i++) {
        texts[i] = texts_of(arena, entity);
        size_t j = 0;
        for (const struct od_codegen_entity *before = table->entities; before != entity;
             before = before->next, j++) {
            if (can_be_one(texts[j].partition, texts[i].partition) &&
                can_be_one(texts[j].sort, texts[i].sort)) {
                warn(entity, before);
            }
        }
    }
    od_arena_destroy(arena);
}
