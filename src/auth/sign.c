// Hashes and keys. A key is derived from the secret by four HMACs, once for a day, region and
// service; the HMAC that signs with it starts from a state that has the key in it already.
#include "auth/sigv4.h"

#include "base/attr.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_SIZE = 32, DAY_LEN = 8 };

static const od_str algorithm = OD_STR_INIT("AWS4-HMAC-SHA256");
static const od_str terminator = OD_STR_INIT("aws4_request");

struct od_signer {
    EVP_MD *sha256;
    EVP_MD_CTX *hash;
    EVP_MAC *hmac;
    EVP_MAC_CTX *deriving;
    EVP_MAC_CTX *signing;          // with the key of `seed` in it
    unsigned char seed[HASH_SIZE]; // the hash of what the key is derived from
    bool is_keyed;
};

// libcrypto fails at these without memory, or when it is built without SHA-256.
static void need(bool done)
{
    if (!done) {
        fputs("ordna: libcrypto cannot compute SHA-256\n", stderr);
        abort();
    }
}

static EVP_MAC_CTX *create_hmac(const od_signer *signer)
{
    char digest[] = "SHA256";
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC_CTX *mac = EVP_MAC_CTX_new(signer->hmac);
    need(mac != NULL && EVP_MAC_CTX_set_params(mac, params) == 1);
    return mac;
}

od_signer *od_signer_create(void)
{
    od_signer *signer = calloc(1, sizeof(*signer));
    need(signer != NULL);
    signer->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    signer->hash = EVP_MD_CTX_new();
    signer->hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    need(signer->sha256 != NULL && signer->hash != NULL && signer->hmac != NULL);
    signer->deriving = create_hmac(signer);
    signer->signing = create_hmac(signer);
    return signer;
}

void od_signer_destroy(od_signer *signer)
{
    if (signer == NULL) {
        return;
    }
    EVP_MAC_CTX_free(signer->signing);
    EVP_MAC_CTX_free(signer->deriving);
    EVP_MAC_free(signer->hmac);
    EVP_MD_CTX_free(signer->hash);
    EVP_MD_free(signer->sha256);
    OPENSSL_cleanse(signer->seed, sizeof(signer->seed));
    free(signer);
}

static void write_hex(const unsigned char hash[HASH_SIZE], char out[OD_SIGV4_HEX_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < HASH_SIZE; i++) {
        *out++ = digits[hash[i] >> 4];
        *out++ = digits[hash[i] & 15];
    }
    *out = '\0';
}

void od_signer_hash(od_signer *signer, od_str bytes, char out[OD_SIGV4_HEX_SIZE])
{
    unsigned char hash[HASH_SIZE];
    need(EVP_DigestInit_ex2(signer->hash, signer->sha256, NULL) == 1 &&
         EVP_DigestUpdate(signer->hash, bytes.ptr, bytes.len) == 1 &&
         EVP_DigestFinal_ex(signer->hash, hash, NULL) == 1);
    write_hex(hash, out);
}

// --- The key of a day ---------------------------------------------------------------------------

static void hash_part(od_signer *signer, od_str part)
{
    need(EVP_DigestUpdate(signer->hash, &part.len, sizeof(part.len)) == 1 &&
         EVP_DigestUpdate(signer->hash, part.ptr, part.len) == 1);
}

static void hash_seed(od_signer *signer, const struct od_sigv4_key *key, od_str day,
                      unsigned char out[HASH_SIZE])
{
    need(EVP_DigestInit_ex2(signer->hash, signer->sha256, NULL) == 1);
    hash_part(signer, key->secret);
    hash_part(signer, day);
    hash_part(signer, key->region);
    hash_part(signer, key->service);
    need(EVP_DigestFinal_ex(signer->hash, out, NULL) == 1);
}

// Over the key that is in it already when `key` is NULL.
static void mac(EVP_MAC_CTX *state, const unsigned char *key, size_t key_len, od_str text,
                unsigned char out[HASH_SIZE])
{
    size_t len = 0;
    need(EVP_MAC_init(state, key, key_len, NULL) == 1 &&
         EVP_MAC_update(state, (const unsigned char *)text.ptr, text.len) == 1 &&
         EVP_MAC_final(state, out, &len, HASH_SIZE) == 1);
}

static void mac_secret(od_signer *signer, od_str secret, od_str day, unsigned char out[HASH_SIZE])
{
    static const char prefix[] = "AWS4";
    const size_t size = sizeof(prefix) - 1 + secret.len;
    unsigned char *key = malloc(size);
    need(key != NULL);
    memcpy(key, prefix, sizeof(prefix) - 1);
    if (secret.len > 0) {
        memcpy(key + sizeof(prefix) - 1, secret.ptr, secret.len);
    }
    mac(signer->deriving, key, size, day, out);
    OPENSSL_cleanse(key, size);
    free(key);
}

static void take_key(od_signer *signer, const struct od_sigv4_key *key, od_str day)
{
    unsigned char seed[HASH_SIZE];
    hash_seed(signer, key, day, seed);
    if (signer->is_keyed && memcmp(seed, signer->seed, HASH_SIZE) == 0) {
        return;
    }
    unsigned char derived[HASH_SIZE];
    mac_secret(signer, key->secret, day, derived);
    const od_str parts[] = {key->region, key->service, terminator};
    for (size_t i = 0; i < OD_COUNT(parts); i++) {
        mac(signer->deriving, derived, HASH_SIZE, parts[i], derived);
    }
    need(EVP_MAC_init(signer->signing, derived, HASH_SIZE, NULL) == 1);
    OPENSSL_cleanse(derived, sizeof(derived));
    memcpy(signer->seed, seed, HASH_SIZE);
    signer->is_keyed = true;
}

// --- The steps ----------------------------------------------------------------------------------

static void put_scope(struct od_buf *out, const struct od_sigv4_key *key, od_str time)
{
    od_buf_printf(out, "%.*s/%.*s/%.*s/%.*s", DAY_LEN, time.ptr, OD_STR_ARG(key->region),
                  OD_STR_ARG(key->service), OD_STR_ARG(terminator));
}

od_str od_sigv4_string_to_sign(od_arena *arena, od_signer *signer, const struct od_sigv4_key *key,
                               od_str time, od_str canonical)
{
    char hash[OD_SIGV4_HEX_SIZE];
    od_signer_hash(signer, canonical, hash);
    struct od_buf out = {.arena = arena};
    od_buf_printf(&out, "%.*s\n%.*s\n", OD_STR_ARG(algorithm), OD_STR_ARG(time));
    put_scope(&out, key, time);
    od_buf_printf(&out, "\n%s", hash);
    return od_buf_str(&out);
}

void od_sigv4_signature(od_signer *signer, const struct od_sigv4_key *key, od_str time,
                        od_str string_to_sign, char out[OD_SIGV4_HEX_SIZE])
{
    take_key(signer, key, (od_str){time.ptr, DAY_LEN});
    unsigned char signature[HASH_SIZE];
    mac(signer->signing, NULL, 0, string_to_sign, signature);
    write_hex(signature, out);
}

od_str od_sigv4_authorize(od_arena *arena, od_signer *signer, const struct od_sigv4_key *key,
                          od_str time, const struct od_sigv4_request *request)
{
    od_str signed_headers = {0};
    const od_str canonical = od_sigv4_canonical(arena, request, &signed_headers);
    const od_str text = od_sigv4_string_to_sign(arena, signer, key, time, canonical);
    char signature[OD_SIGV4_HEX_SIZE];
    od_sigv4_signature(signer, key, time, text, signature);
    struct od_buf out = {.arena = arena};
    od_buf_printf(&out, "%.*s Credential=%.*s/", OD_STR_ARG(algorithm), OD_STR_ARG(key->id));
    put_scope(&out, key, time);
    od_buf_printf(&out, ", SignedHeaders=%.*s, Signature=%s", OD_STR_ARG(signed_headers),
                  signature);
    return od_buf_str(&out);
}
