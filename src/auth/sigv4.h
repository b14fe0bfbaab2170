// AWS Signature Version 4: who sent a request, and that nobody has changed it.
//
//   request --canonical--> text --hash--> string to sign --HMAC with a key of the day--> signature
//
//     GET                                   AWS4-HMAC-SHA256
//     /                                     20150830T123600Z
//     a=1&b=2                               20150830/us-east-1/dynamodb/aws4_request
//     host:example.com                      hex(SHA-256(canonical request))
//     x-amz-date:20150830T123600Z
//
//     host;x-amz-date
//     hex(SHA-256(body))
#ifndef OD_AUTH_SIGV4_H
#define OD_AUTH_SIGV4_H

#include "base/buf.h"

enum { OD_SIGV4_HEX_SIZE = 65 };

// Keeps what signatures of one day have in common. One thread's at a time.
typedef struct od_signer od_signer;
od_signer *od_signer_create(void);
void od_signer_destroy(od_signer *signer);

// SHA-256 in lowercase hexadecimal.
void od_signer_hash(od_signer *signer, od_str bytes, char out[OD_SIGV4_HEX_SIZE]);

struct od_sigv4_header {
    od_str name; // in any case
    od_str value;
};

struct od_sigv4_request {
    od_str method;
    od_str path;                           // as on the request's first line
    od_str query;                          // the same, without the '?'
    const struct od_sigv4_header *headers; // the ones to sign, in any order
    size_t header_count;
    od_str body_hash; // of od_signer_hash
    bool path_as_is;  // "." and ".." and double slashes in the path mean themselves
};

struct od_sigv4_key {
    od_str id;
    od_str secret;
    od_str region;
    od_str service; // "dynamodb"
};

// The value of the header Authorization. `time` is that of the header X-Amz-Date:
// 20150830T123600Z.
od_str od_sigv4_authorize(od_arena *arena, od_signer *signer, const struct od_sigv4_key *key,
                          od_str time, const struct od_sigv4_request *request);

// --- The steps ----------------------------------------------------------------------------------

// `signed_headers`: "host;x-amz-date".
od_str od_sigv4_canonical(od_arena *arena, const struct od_sigv4_request *request,
                          od_str *signed_headers);
od_str od_sigv4_string_to_sign(od_arena *arena, od_signer *signer, const struct od_sigv4_key *key,
                               od_str time, od_str canonical);
void od_sigv4_signature(od_signer *signer, const struct od_sigv4_key *key, od_str time,
                        od_str string_to_sign, char out[OD_SIGV4_HEX_SIZE]);

#endif
