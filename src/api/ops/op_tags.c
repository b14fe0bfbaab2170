// TagResource, UntagResource, ListTagsOfResource.
#include "api/ops/ops.h"
#include "api/tags.h"

enum { PAGE_TAGS = 10 };

// --- TagResource, UntagResource -----------------------------------------------------------------

static struct od_tag_job *create_job(struct od_call *call)
{
    struct od_tag_job *job = od_new(call->cx.arena, struct od_tag_job);
    call->request = job;
    call->held = &job->result;
    job->engine = call->engine;
    job->arn = od_wire_str(call->root, "ResourceArn");
    return job;
}

od_status od_tag_resource_decode(struct od_call *call)
{
    struct od_tag_job *job = create_job(call);
    yyjson_val *list = od_wire_member(call->root, "Tags");
    if (yyjson_arr_size(list) == 0) {
        return OD_FAIL(&call->cx, OD_VALIDATION, "Atleast one Tag needs to be provided as Input.");
    }
    return od_tags_read(&call->cx, list, &job->add, &job->add_count);
}

od_status od_untag_resource_decode(struct od_call *call)
{
    struct od_tag_job *job = create_job(call);
    yyjson_val *list = od_wire_member(call->root, "TagKeys");
    if (yyjson_arr_size(list) == 0) {
        return OD_FAIL(&call->cx, OD_VALIDATION,
                       "Atleast one Tag Key needs to be provided as Input.");
    }
    return od_tag_keys_read(&call->cx, list, &job->remove, &job->remove_count);
}

// DynamoDB answers with nothing at all.
void od_tags_changed_encode(struct od_call *call)
{
    (void)call;
}

// --- ListTagsOfResource -------------------------------------------------------------------------

struct list_tags {
    od_str arn;
    od_str after; // the last key of the page before; {NULL, 0} for the first page
    const struct od_table *table;
};

od_status od_list_tags_decode(struct od_call *call)
{
    struct list_tags *request = od_new(call->cx.arena, struct list_tags);
    request->arn = od_wire_str(call->root, "ResourceArn");
    request->after = od_wire_str(call->root, "NextToken");
    call->request = request;
    call->held = &request->table;
    return OD_OK;
}

od_status od_list_tags_run(struct od_call *call)
{
    struct list_tags *request = call->request;
    return od_table_acquire_tagged(call->engine, &call->cx, request->arn, &request->table);
}

static size_t first_of_page(const struct list_tags *request)
{
    size_t at = 0;
    if (request->after.ptr == NULL) {
        return at;
    }
    while (at < request->table->tag_count &&
           od_str_compare(request->table->tags[at].key, request->after) <= 0) {
        at++;
    }
    return at;
}

static void put_tag(struct od_buf *out, const struct od_tag *tag)
{
    od_api_comma(out);
    od_buf_put_byte(out, '{');
    od_json_member(out, "Key");
    od_json_str(out, tag->key);
    od_json_member(out, "Value");
    od_json_str(out, tag->value);
    od_buf_put_byte(out, '}');
}

void od_list_tags_encode(struct od_call *call)
{
    const struct list_tags *request = call->request;
    const struct od_table *table = request->table;
    size_t first = first_of_page(request);
    size_t left = table->tag_count - first;
    size_t end = first + (left < PAGE_TAGS ? left : PAGE_TAGS);
    od_json_raw(&call->out, "{\"Tags\":[");
    for (size_t i = first; i < end; i++) {
        put_tag(&call->out, &table->tags[i]);
    }
    od_buf_put_byte(&call->out, ']');
    if (end < table->tag_count) {
        od_json_member(&call->out, "NextToken");
        od_json_str(&call->out, table->tags[end - 1].key);
    }
    od_buf_put_byte(&call->out, '}');
}
