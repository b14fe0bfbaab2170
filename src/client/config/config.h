// Where requests go and who signs them, from options, environment and files.
#ifndef OD_CLIENT_CONFIG_H
#define OD_CLIENT_CONFIG_H

#include "auth/sigv4.h"
#include "base/status.h"
#include "ordna/client.h"

struct od_endpoint {
    const char *url;
    od_str host; // the header Host
    od_str path;
};

struct od_config {
    struct od_endpoint endpoint;
    struct od_sigv4_key key;
    od_str session_token; // empty: there is none
    const char *ca_file;  // NULL: the system's
};

// Errors say what to do. All of `out` lives in the arena of `cx`.
od_status od_config_read(od_ctx *cx, const ordna_client_options *options, struct od_config *out);

// --- endpoint.c ---------------------------------------------------------------------------------

od_status od_endpoint_of_url(od_ctx *cx, const char *text, struct od_endpoint *out);
od_status od_endpoint_of_region(od_ctx *cx, od_str region, struct od_endpoint *out);

// --- profile.c: the files credentials and config of ~/.aws --------------------------------------

struct od_profile {
    bool found;
    od_str key_id;
    od_str secret;
    od_str token;
    od_str region;
    od_str other_way; // the name of a setting that says how to get keys, which ordna does not do
};

// Adds to `out` what the text says of profile `name` and `out` does not have yet. In "config" files
// the section is [profile NAME].
void od_profile_parse(od_arena *arena, od_str text, od_str name, bool is_config,
                      struct od_profile *out);
// A file that is not there says nothing. One that cannot be read, or is too large, is an error.
od_status od_profile_read(od_ctx *cx, const char *path, od_str name, bool is_config,
                          struct od_profile *out);

#endif
