#include "codegen/codegen.h"

#include "codegen/codegen_internal.h"

static void advise(const struct od_codegen_file *file)
{
    for (const struct od_codegen_table *table = file->tables; table != NULL; table = table->next) {
        for (const struct od_codegen_entity *entity = table->entities; entity != NULL;
             entity = entity->next) {
            od_codegen_advise(entity);
        }
        od_codegen_advise_on_shared_keys(table);
    }
}

static void check(struct od_codegen_file *file)
{
    if (file->text.len > OD_CODEGEN_MAX_FILE_BYTES) {
        od_codegen_report(file, (struct od_codegen_place){1, 1}, OD_CODEGEN_TOO_MANY,
                          od_codegen_number(file, OD_CODEGEN_MAX_FILE_BYTES),
                          OD_STR("bytes in a file"), OD_STR(""));
        return;
    }
    od_codegen_read(file);
    od_codegen_check_tables(file);
    od_codegen_check_entities(file);
    // The rest needs all that is named to be there.
    if (file->error_count == 0) {
        od_codegen_check_names(file);
        advise(file);
    }
    od_codegen_sort_findings(file);
}

static void write_table(const struct od_codegen_table *table, struct od_codegen_output *out)
{
    od_arena *arena = table->file->arena;
    out[0].name = od_arena_printf(arena, "%.*s.h", OD_STR_ARG(table->prefix));
    out[0].text = od_codegen_write_header(table);
    out[1].name = od_arena_printf(arena, "%.*s.c", OD_STR_ARG(table->prefix));
    out[1].text = od_codegen_write_source(table);
}

void od_codegen_run(od_arena *arena, od_str file, od_str text, struct od_codegen_result *out)
{
    struct od_codegen_file state = {
        .arena = arena,
        .name = file,
        .text = text,
        .tables_end = &state.tables,
        .findings = od_new_array(arena, struct od_codegen_finding, OD_CODEGEN_MAX_FINDINGS),
    };
    check(&state);
    *out = (struct od_codegen_result){
        .findings = state.findings,
        .finding_count = state.finding_count,
        .left_out = state.left_out,
        .error_count = state.error_count,
    };
    if (state.error_count > 0) {
        return;
    }
    struct od_codegen_output *outputs =
        od_new_array(arena, struct od_codegen_output, 2 * state.table_count);
    for (const struct od_codegen_table *table = state.tables; table != NULL; table = table->next) {
        write_table(table, outputs + out->output_count);
        out->output_count += 2;
    }
    out->outputs = outputs;
}
