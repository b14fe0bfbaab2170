#include "peer.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

static void need(bool done)
{
    if (!done) {
        fputs("cannot make a certificate\n", stderr);
        abort();
    }
}

static void add_extension(X509 *certificate, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    need(extension != NULL && X509_add_ext(certificate, extension, -1) == 1);
    X509_EXTENSION_free(extension);
}

static X509 *certify(EVP_PKEY *key, const char *name)
{
    static const unsigned char common_name[] = "ordna's tests";
    X509 *certificate = X509_new();
    need(certificate != NULL && X509_set_version(certificate, 2) == 1 &&
         ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1 &&
         X509_gmtime_adj(X509_getm_notBefore(certificate), -3600) != NULL &&
         X509_gmtime_adj(X509_getm_notAfter(certificate), 3600) != NULL &&
         X509_set_pubkey(certificate, key) == 1);
    X509_NAME *subject = X509_get_subject_name(certificate);
    need(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, common_name, -1, -1, 0) == 1 &&
         X509_set_issuer_name(certificate, subject) == 1);
    add_extension(certificate, NID_subject_alt_name, name);
    add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
    need(X509_sign(certificate, key, EVP_sha256()) > 0);
    return certificate;
}

void peer_make_certificate(const char *name, const char *path)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    need(key != NULL);
    X509 *certificate = certify(key, name);
    FILE *file = fopen(path, "w");
    need(file != NULL && PEM_write_X509(file, certificate) == 1 &&
         PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL) == 1 && fclose(file) == 0);
    X509_free(certificate);
    EVP_PKEY_free(key);
}
