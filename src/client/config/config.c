#include "client/config/config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// An environment variable that is empty is as one that is not set.
static const char *from_environment(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

static od_str copy(od_arena *arena, const char *text)
{
    return text == NULL ? (od_str){0} : od_arena_copy(arena, od_cstr(text));
}

// --- The profile --------------------------------------------------------------------------------

struct sources {
    const ordna_client_options *options;
    od_str profile_name;
    bool named;            // somebody asked for this profile
    const char *keys_path; // NULL: nobody knows where
    struct od_profile profile;
};

static const char *path_of(od_arena *arena, const char *variable, const char *name)
{
    const char *path = from_environment(variable);
    if (path != NULL) {
        return path;
    }
    const char *home = from_environment("HOME");
    return home == NULL ? NULL : od_arena_printf(arena, "%s/.aws/%s", home, name).ptr;
}

static od_status read_profile(od_ctx *cx, struct sources *s)
{
    const char *name = s->options->profile;
    name = name == NULL ? from_environment("AWS_PROFILE") : name;
    s->named = name != NULL;
    s->profile_name = od_cstr(name == NULL ? "default" : name);
    s->keys_path = path_of(cx->arena, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
    const char *config_path = path_of(cx->arena, "AWS_CONFIG_FILE", "config");
    if (s->keys_path != NULL) {
        OD_TRY(od_profile_read(cx, s->keys_path, s->profile_name, false, &s->profile));
    }
    if (config_path != NULL) {
        OD_TRY(od_profile_read(cx, config_path, s->profile_name, true, &s->profile));
    }
    if (s->named && !s->profile.found) {
        return OD_FAIL(cx, OD_VALIDATION, "there is no profile \"%.*s\" in %s, nor in %s",
                       OD_STR_ARG(s->profile_name), s->keys_path == NULL ? "?" : s->keys_path,
                       config_path == NULL ? "?" : config_path);
    }
    return OD_OK;
}

static bool has_keys_elsewhere(const ordna_client_options *options)
{
    return options->access_key_id != NULL ||
           (options->profile == NULL && from_environment("AWS_ACCESS_KEY_ID") != NULL);
}

static bool has_region_elsewhere(const ordna_client_options *options)
{
    return options->region != NULL || from_environment("AWS_REGION") != NULL ||
           from_environment("AWS_DEFAULT_REGION") != NULL;
}

// --- Keys ---------------------------------------------------------------------------------------

static void take_keys(od_arena *arena, const char *const words[3], struct od_config *out)
{
    out->key.id = copy(arena, words[0]);
    out->key.secret = copy(arena, words[1]);
    out->session_token = copy(arena, words[2]);
}

static od_status no_keys(od_ctx *cx, const struct sources *s)
{
    if (s->profile.other_way.len > 0) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "profile \"%.*s\" gets its keys by %.*s, which ordna does not: set "
                       "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, as `aws "
                       "configure export-credentials` prints them",
                       OD_STR_ARG(s->profile_name), OD_STR_ARG(s->profile.other_way));
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   "no access key: give access_key_id and secret_access_key, or set "
                   "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them under [%.*s] in %s",
                   OD_STR_ARG(s->profile_name),
                   s->keys_path == NULL ? "~/.aws/credentials" : s->keys_path);
}

static od_status keys_of_profile(od_ctx *cx, const struct sources *s, struct od_config *out)
{
    const struct od_profile *profile = &s->profile;
    if (profile->key_id.len == 0 && profile->secret.len == 0) {
        // An endpoint is mostly a server that takes any.
        if (s->options->endpoint == NULL || s->named) {
            return no_keys(cx, s);
        }
        out->key.id = OD_STR("ordna");
        out->key.secret = OD_STR("ordna");
        return OD_OK;
    }
    out->key.id = profile->key_id;
    out->key.secret = profile->secret;
    out->session_token = profile->token;
    return OD_OK;
}

static bool is_header_text(od_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] <= ' ' || s.ptr[i] > '~') {
            return false;
        }
    }
    return true;
}

static od_status check_keys(od_ctx *cx, const struct od_config *config)
{
    if (config->key.id.len == 0 || config->key.secret.len == 0) {
        return OD_FAIL(cx, OD_VALIDATION, "an access key has an id and a secret: the %s is missing",
                       config->key.id.len == 0 ? "id" : "secret");
    }
    const bool plain = strcspn(config->key.id.ptr, "/, ") == config->key.id.len;
    if (!plain || !is_header_text(config->key.id) || !is_header_text(config->session_token)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "the access key's id or its session token has characters that none has");
    }
    return OD_OK;
}

// What was said nearest to the call: arguments, a profile in the arguments, the environment, files.
static od_status read_keys(od_ctx *cx, const struct sources *s, struct od_config *out)
{
    const ordna_client_options *o = s->options;
    const char *const given[] = {o->access_key_id, o->secret_access_key, o->session_token};
    const char *const around[] = {from_environment("AWS_ACCESS_KEY_ID"),
                                  from_environment("AWS_SECRET_ACCESS_KEY"),
                                  from_environment("AWS_SESSION_TOKEN")};
    if (given[0] != NULL || given[1] != NULL || given[2] != NULL) {
        take_keys(cx->arena, given, out);
    } else if (o->profile == NULL && (around[0] != NULL || around[1] != NULL)) {
        take_keys(cx->arena, around, out);
    } else {
        OD_TRY(keys_of_profile(cx, s, out));
    }
    return check_keys(cx, out);
}

// --- Region and endpoint ------------------------------------------------------------------------

static od_str find_region(od_arena *arena, const struct sources *s)
{
    const char *named[] = {s->options->region, from_environment("AWS_REGION"),
                           from_environment("AWS_DEFAULT_REGION")};
    for (size_t i = 0; i < OD_COUNT(named); i++) {
        if (named[i] != NULL) {
            return copy(arena, named[i]);
        }
    }
    if (s->profile.region.len > 0) {
        return s->profile.region;
    }
    return s->options->endpoint == NULL ? (od_str){0} : OD_STR("us-east-1");
}

static od_status read_endpoint(od_ctx *cx, const struct sources *s, struct od_config *out)
{
    out->key.service = OD_STR("dynamodb");
    out->key.region = find_region(cx->arena, s);
    if (out->key.region.len == 0) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "no endpoint and no region: give one of them, or set AWS_REGION");
    }
    // Even where the endpoint is given, it goes into what is signed.
    OD_TRY(od_endpoint_of_region(cx, out->key.region, &out->endpoint));
    if (s->options->endpoint != NULL) {
        return od_endpoint_of_url(cx, s->options->endpoint, &out->endpoint);
    }
    return OD_OK;
}

od_status od_config_read(od_ctx *cx, const ordna_client_options *options, struct od_config *out)
{
    *out = (struct od_config){0};
    struct sources sources = {.options = options};
    if (!has_keys_elsewhere(options) || !has_region_elsewhere(options)) {
        OD_TRY(read_profile(cx, &sources));
    }
    OD_TRY(read_endpoint(cx, &sources, out));
    OD_TRY(read_keys(cx, &sources, out));
    out->ca_file = copy(cx->arena, options->ca_file).ptr;
    if (out->ca_file != NULL && access(out->ca_file, R_OK) != 0) {
        return OD_FAIL(cx, OD_VALIDATION, "ca_file %s cannot be read", out->ca_file);
    }
    return OD_OK;
}
