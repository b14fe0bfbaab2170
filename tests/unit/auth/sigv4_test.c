#include "auth/sigv4.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_HEADERS = 6 };

#define EMPTY_HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static int arena_setup(void **state)
{
    *state = od_arena_create();
    return 0;
}

static int arena_teardown(void **state)
{
    od_arena_destroy(*state);
    return 0;
}

static void check_text(size_t row, od_str got, const char *expected)
{
    if (!od_str_eq(got, od_cstr(expected))) {
        fail_msg("row %zu: got:\n%.*s\nexpected:\n%s", row, OD_STR_ARG(got), expected);
    }
}

// --- Canonical requests -------------------------------------------------------------------------

static const struct canonical_row {
    const char *path;
    const char *query;
    struct {
        const char *name;
        const char *value;
    } headers[MAX_HEADERS];
    bool path_as_is;
    const char *expected;
    const char *names;
} canonical_rows[] = {
    {"/", "", {{"Host", "h"}}, false, "GET\n/\n\nhost:h\n\nhost\nX", "host"},
    {"", "", {{NULL, NULL}}, false, "GET\n/\n\n\n\nX", ""},
    {"", "", {{NULL, NULL}}, true, "GET\n/\n\n\n\nX", ""},
    // Paths.
    {"/./a/..//b/", "", {{NULL, NULL}}, false, "GET\n/b/\n\n\n\nX", ""},
    {"/a/b/..", "", {{NULL, NULL}}, false, "GET\n/a/\n\n\n\nX", ""},
    {"/../../..", "", {{NULL, NULL}}, false, "GET\n/\n\n\n\nX", ""},
    {"/a/.", "", {{NULL, NULL}}, false, "GET\n/a/\n\n\n\nX", ""},
    {"/a//./b", "", {{NULL, NULL}}, true, "GET\n/a//./b\n\n\n\nX", ""},
    {"/a b/\xC3\xA9%20", "", {{NULL, NULL}}, false, "GET\n/a%20b/%C3%A9%2520\n\n\n\nX", ""},
    {"/-._~09AZaz", "", {{NULL, NULL}}, false, "GET\n/-._~09AZaz\n\n\n\nX", ""},
    // Queries: sorted by name, then by value.
    {"/", "b=2&a=2&a=1&a-=0", {{NULL, NULL}}, false, "GET\n/\na=1&a=2&a-=0&b=2\n\n\nX", ""},
    {"/", "B&b=&=v", {{NULL, NULL}}, false, "GET\n/\n=v&B=&b=\n\n\nX", ""},
    {"/", "k=a%20b&k2=a=b", {{NULL, NULL}}, false, "GET\n/\nk=a%20b&k2=a%3Db\n\n\nX", ""},
    {"/", "&&", {{NULL, NULL}}, false, "GET\n/\n=&=\n\n\nX", ""},
    // Headers: sorted, in lower case, with less space.
    {"/",
     "",
     {{"X-B", " b "}, {"host", "h"}, {"X-A", "1\t\t 2\r\n  3"}},
     false,
     "GET\n/\n\nhost:h\nx-a:1 2 3\nx-b:b\n\nhost;x-a;x-b\nX",
     "host;x-a;x-b"},
    {"/",
     "",
     {{"x", "2"}, {"X", "1"}, {"y", ""}, {"x", ""}},
     false,
     "GET\n/\n\nx:2,1,\ny:\n\nx;y\nX",
     "x;y"},
};

static void requests_have_one_text(void **state)
{
    od_arena *arena = *state;
    for (size_t i = 0; i < OD_COUNT(canonical_rows); i++) {
        const struct canonical_row *row = &canonical_rows[i];
        struct od_sigv4_header headers[MAX_HEADERS];
        size_t count = 0;
        for (; count < MAX_HEADERS && row->headers[count].name != NULL; count++) {
            headers[count].name = od_cstr(row->headers[count].name);
            headers[count].value = od_cstr(row->headers[count].value);
        }
        const struct od_sigv4_request request = {.method = OD_STR("GET"),
                                                 .path = od_cstr(row->path),
                                                 .query = od_cstr(row->query),
                                                 .headers = headers,
                                                 .header_count = count,
                                                 .body_hash = OD_STR("X"),
                                                 .path_as_is = row->path_as_is};
        od_str names = {0};
        check_text(i, od_sigv4_canonical(arena, &request, &names), row->expected);
        check_text(i, names, row->names);
    }
}

// --- Signatures ---------------------------------------------------------------------------------

// The example of the documentation, in three steps.
static const struct od_sigv4_key example_key = {
    .id = OD_STR_INIT("AKIDEXAMPLE"),
    .secret = OD_STR_INIT("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
    .region = OD_STR_INIT("us-east-1"),
    .service = OD_STR_INIT("service"),
};
static const struct od_sigv4_header example_headers[] = {
    {OD_STR_INIT("Host"), OD_STR_INIT("example.amazonaws.com")},
    {OD_STR_INIT("X-Amz-Date"), OD_STR_INIT("20150830T123600Z")},
};
static const struct od_sigv4_request example_request = {
    .method = OD_STR_INIT("GET"),
    .path = OD_STR_INIT("/"),
    .headers = example_headers,
    .header_count = OD_COUNT(example_headers),
    .body_hash = OD_STR_INIT(EMPTY_HASH),
};
#define EXAMPLE_SIGNATURE "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
#define EXAMPLE_DATE      OD_STR("20150830T123600Z")

static void the_published_example_comes_out(void **state)
{
    od_arena *arena = *state;
    od_signer *signer = od_signer_create();
    od_str names = {0};
    const od_str canonical = od_sigv4_canonical(arena, &example_request, &names);
    const od_str text =
        od_sigv4_string_to_sign(arena, signer, &example_key, EXAMPLE_DATE, canonical);
    check_text(0, text,
               "AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/service/aws4_request\n"
               "bb579772317eb040ac9ed261061d46c1f17a8133879d6129b6e1c25292927e63");
    char signature[OD_SIGV4_HEX_SIZE];
    od_sigv4_signature(signer, &example_key, EXAMPLE_DATE, text, signature);
    assert_string_equal(signature, EXAMPLE_SIGNATURE);
    check_text(1, od_sigv4_authorize(arena, signer, &example_key, EXAMPLE_DATE, &example_request),
               "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
               "SignedHeaders=host;x-amz-date, Signature=" EXAMPLE_SIGNATURE);
    od_signer_destroy(signer);
}

static void sign(od_signer *signer, const struct od_sigv4_key *key, od_str time,
                 char out[OD_SIGV4_HEX_SIZE])
{
    od_sigv4_signature(signer, key, time, OD_STR("text"), out);
}

// Whatever the signer keeps, it signs as a new one does.
static void a_key_is_of_its_day_region_service_and_secret(void **state)
{
    (void)state;
    struct od_sigv4_key keys[] = {example_key, example_key, example_key, example_key, example_key};
    keys[1].region = OD_STR("eu-west-1");
    keys[2].service = OD_STR("dynamodb");
    keys[3].secret = OD_STR("");
    keys[4].region = OD_STR("us-east-1s");
    keys[4].service = OD_STR("ervice");
    static const char *const days[] = {"20150830T123600Z", "20150831T000000Z"};
    od_signer *kept = od_signer_create();
    char seen[OD_COUNT(keys) * OD_COUNT(days)][OD_SIGV4_HEX_SIZE];
    size_t count = 0;
    for (size_t i = 0; i < OD_COUNT(keys); i++) {
        for (size_t j = 0; j < OD_COUNT(days); j++) {
            od_signer *fresh = od_signer_create();
            char expected[OD_SIGV4_HEX_SIZE];
            sign(fresh, &keys[i], od_cstr(days[j]), expected);
            od_signer_destroy(fresh);
            sign(kept, &keys[i], od_cstr(days[j]), seen[count]);
            assert_string_equal(seen[count], expected);
            sign(kept, &keys[i], od_cstr(days[j]), seen[count]);
            assert_string_equal(seen[count], expected);
            for (size_t other = 0; other < count; other++) {
                assert_string_not_equal(seen[count], seen[other]);
            }
            count++;
        }
    }
    od_signer_destroy(kept);
    od_signer_destroy(NULL);
}

static void hashes_are_sha_256(void **state)
{
    (void)state;
    od_signer *signer = od_signer_create();
    char hash[OD_SIGV4_HEX_SIZE];
    od_signer_hash(signer, (od_str){NULL, 0}, hash);
    assert_string_equal(hash, EMPTY_HASH);
    od_signer_hash(signer, OD_STR("abc"), hash);
    assert_string_equal(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    od_signer_destroy(signer);
}

// --- As others sign -----------------------------------------------------------------------------

// "ID SECRET TOKEN|- REGION TIME HOST PATH TARGET BODY": prints the header, for
// signature_test.py, which asks botocore for the same.
static int print_authorization(char **words)
{
    od_arena *arena = od_arena_create();
    od_signer *signer = od_signer_create();
    const struct od_sigv4_key key = {.id = od_cstr(words[0]),
                                     .secret = od_cstr(words[1]),
                                     .region = od_cstr(words[3]),
                                     .service = OD_STR("dynamodb")};
    const struct od_sigv4_header headers[] = {
        {OD_STR("Content-Type"), OD_STR("application/x-amz-json-1.0")},
        {OD_STR("Host"), od_cstr(words[5])},
        {OD_STR("X-Amz-Date"), od_cstr(words[4])},
        {OD_STR("X-Amz-Target"), od_cstr(words[7])},
        {OD_STR("X-Amz-Security-Token"), od_cstr(words[2])},
    };
    char hash[OD_SIGV4_HEX_SIZE];
    od_signer_hash(signer, od_cstr(words[8]), hash);
    const struct od_sigv4_request request = {
        .method = OD_STR("POST"),
        .path = od_cstr(words[6]),
        .headers = headers,
        .header_count = OD_COUNT(headers) - (strcmp(words[2], "-") == 0),
        .body_hash = od_cstr(hash),
    };
    const od_str text = od_sigv4_authorize(arena, signer, &key, od_cstr(words[4]), &request);
    printf("%.*s\n", OD_STR_ARG(text));
    od_signer_destroy(signer);
    od_arena_destroy(arena);
    return 0;
}

int main(int count, char **words)
{
    if (count == 10) {
        return print_authorization(words + 1);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(requests_have_one_text, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(the_published_example_comes_out, arena_setup,
                                        arena_teardown),
        cmocka_unit_test(a_key_is_of_its_day_region_service_and_secret),
        cmocka_unit_test(hashes_are_sha_256),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
