// Any text as a file of entities: read, checked, and written as C. What is found has a place in the
// text, and there is C when there is no error.
#include "base/utf8.h"
#include "codegen/codegen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_SIZE = 16 * 1024 }; // entities are compared with one another: more is slow, not new

static void check_findings(const struct od_codegen_result *result, size_t size)
{
    size_t errors = 0;
    for (size_t i = 0; i < result->finding_count; i++) {
        const struct od_codegen_finding *finding = &result->findings[i];
        assert(finding->number > 0 && finding->text.len > 0 && od_utf8_valid(finding->text));
        assert(finding->line >= 1 && finding->line <= size + 1);
        assert(finding->column >= 1 && finding->column <= size + 1);
        errors += finding->is_error;
    }
    assert(errors <= result->error_count && result->error_count <= errors + result->left_out);
}

static void check_outputs(const struct od_codegen_result *result)
{
    assert((result->output_count > 0) == (result->error_count == 0));
    for (size_t i = 0; i < result->output_count; i++) {
        od_str text = result->outputs[i].text;
        assert(text.len > 0 && text.ptr[text.len - 1] == '\n');
        assert(memchr(text.ptr, '\0', text.len) == NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_SIZE) {
        return 0;
    }
    // A copy of its own size, so that the sanitizer sees a read past the end.
    char *copy = malloc(size + 1);
    assert(copy != NULL);
    if (size > 0) {
        memcpy(copy, data, size);
    }
    copy = realloc(copy, size > 0 ? size : 1);
    od_arena *arena = od_arena_create();
    struct od_codegen_result result;
    od_codegen_run(arena, OD_STR("fuzz.entities"), (od_str){copy, size}, &result);
    check_findings(&result, size);
    check_outputs(&result);
    od_arena_destroy(arena);
    free(copy);
    return 0;
}
