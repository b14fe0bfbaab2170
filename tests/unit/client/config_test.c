// Where a client sends its requests and how it signs them, by options, environment and files.
#include "client/config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define KEYS_FILE   "config_test.credentials"
#define CONFIG_FILE "config_test.config"

static const char keys_text[] = "[default]\n"
                                "aws_access_key_id = DEFAULT\n"
                                "aws_secret_access_key = default-secret\n"
                                "[temporary]\n"
                                "aws_access_key_id = TEMPORARY\n"
                                "aws_secret_access_key = temporary-secret\n"
                                "aws_session_token = token\n"
                                "[half]\n"
                                "aws_access_key_id = HALF\n"
                                "[odd]\n"
                                "aws_access_key_id = A/B\n"
                                "aws_secret_access_key = s\n";
static const char config_text[] = "[default]\n"
                                  "region = eu-central-1\n"
                                  "[profile temporary]\n"
                                  "region = ap-south-1\n"
                                  "[profile sso]\n"
                                  "sso_session = s\n";

static const char *const variables[] = {
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
    "AWS_REGION",        "AWS_DEFAULT_REGION",    "AWS_PROFILE",
};

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
    *state = od_arena_create();
    write_file(KEYS_FILE, keys_text);
    write_file(CONFIG_FILE, config_text);
    return 0;
}

static int teardown(void **state)
{
    od_arena_destroy(*state);
    unlink(KEYS_FILE);
    unlink(CONFIG_FILE);
    return 0;
}

// "AWS_REGION=x AWS_PROFILE=y"; NULL: without any, and without files.
static void set_environment(const char *words)
{
    for (size_t i = 0; i < OD_COUNT(variables); i++) {
        unsetenv(variables[i]);
    }
    setenv("AWS_SHARED_CREDENTIALS_FILE", words == NULL ? "config_test.none" : KEYS_FILE, 1);
    setenv("AWS_CONFIG_FILE", words == NULL ? "config_test.none" : CONFIG_FILE, 1);
    while (words != NULL && words[0] != '\0') {
        char name[64];
        char value[64] = "";
        int len = 0;
        assert_true(sscanf(words, "%63[A-Z_]=%63[^ ]%n", name, value, &len) >= 1);
        len = len == 0 ? (int)strlen(name) + 1 : len;
        setenv(name, value, 1);
        words += len + (words[len] == ' ');
    }
}

static const struct row {
    ordna_client_options options;
    const char *environment;
    const char *error; // a part of it; NULL: there is none
    const char *key_id;
    const char *token;
    const char *region;
    const char *url;
} rows[] = {
    // Faults, and what to do.
    {{0}, NULL, "no endpoint and no region: give one of them, or set AWS_REGION", "", "", "", ""},
    {{.region = "us-east-1"},
     NULL,
     "or write them under [default] in config_test.none",
     "",
     "",
     "",
     ""},
    {{.region = "US EAST"}, NULL, "\"US EAST\" is no region such as", "", "", "", ""},
    {{.region = "evil.example.com/"}, "", "is no region", "", "", "", ""},
    {{.region = ""}, "", "no endpoint and no region", "", "", "", ""},
    {{.region = "r", .profile = "none"},
     "",
     "there is no profile \"none\" in config_test.cred",
     "",
     "",
     "",
     ""},
    {{.region = "r", .profile = "sso"}, "", "gets its keys by sso_session", "", "", "", ""},
    {{.region = "r", .profile = "half"}, "", "the secret is missing", "", "", "", ""},
    {{.region = "r", .profile = "odd"}, "", "has characters that none has", "", "", "", ""},
    {{.region = "r", .access_key_id = "A"}, "", "the secret is missing", "", "", "", ""},
    {{.region = "r", .secret_access_key = "s"}, "", "the id is missing", "", "", "", ""},
    {{.region = "r", .access_key_id = "A\r\nX: y", .secret_access_key = "s"},
     "",
     "characters",
     "",
     "",
     "",
     ""},
    {{.region = "r"}, "AWS_ACCESS_KEY_ID=A", "the secret is missing", "", "", "", ""},
    {{.region = "r"}, "AWS_PROFILE=none", "there is no profile \"none\"", "", "", "", ""},
    {{.endpoint = "http://h", .ca_file = "none.pem"},
     "",
     "ca_file none.pem cannot be read",
     "",
     "",
     "",
     ""},
    {{.endpoint = "localhost"}, "", "endpoint \"localhost\"", "", "", "", ""},
    // By arguments.
    {{.region = "eu-west-1", .access_key_id = "A", .secret_access_key = "s", .profile = "none"},
     "AWS_ACCESS_KEY_ID=E AWS_SECRET_ACCESS_KEY=s AWS_REGION=r",
     NULL,
     "A",
     "",
     "eu-west-1",
     "https://dynamodb.eu-west-1.amazonaws.com/"},
    {{.region = "r", .access_key_id = "A", .secret_access_key = "s", .session_token = "t"},
     "",
     NULL,
     "A",
     "t",
     "r",
     "https://dynamodb.r.amazonaws.com/"},
    // By environment.
    {{0},
     "AWS_ACCESS_KEY_ID=E AWS_SECRET_ACCESS_KEY=s AWS_REGION=r AWS_DEFAULT_REGION=x",
     NULL,
     "E",
     "",
     "r",
     "https://dynamodb.r.amazonaws.com/"},
    {{0},
     "AWS_ACCESS_KEY_ID=E AWS_SECRET_ACCESS_KEY=s AWS_SESSION_TOKEN=t AWS_DEFAULT_REGION=d",
     NULL,
     "E",
     "t",
     "d",
     "https://dynamodb.d.amazonaws.com/"},
    {{0},
     "AWS_ACCESS_KEY_ID= AWS_REGION=",
     NULL,
     "DEFAULT",
     "",
     "eu-central-1",
     "https://dynamodb.eu-central-1.amazonaws.com/"},
    // By profile.
    {{0}, "", NULL, "DEFAULT", "", "eu-central-1", "https://dynamodb.eu-central-1.amazonaws.com/"},
    {{0},
     "AWS_PROFILE=temporary",
     NULL,
     "TEMPORARY",
     "token",
     "ap-south-1",
     "https://dynamodb.ap-south-1.amazonaws.com/"},
    {{.profile = "temporary"},
     "AWS_ACCESS_KEY_ID=E AWS_SECRET_ACCESS_KEY=s AWS_PROFILE=none",
     NULL,
     "TEMPORARY",
     "token",
     "ap-south-1",
     "https://dynamodb.ap-south-1.amazonaws.com/"},
    // With an endpoint.
    {{.endpoint = "http://127.0.0.1:8000"},
     NULL,
     NULL,
     "ordna",
     "",
     "us-east-1",
     "http://127.0.0.1:8000/"},
    {{.endpoint = "http://127.0.0.1:8000"},
     "",
     NULL,
     "DEFAULT",
     "",
     "eu-central-1",
     "http://127.0.0.1:8000/"},
    {{.endpoint = "https://db.example", .region = "local"},
     "",
     NULL,
     "DEFAULT",
     "",
     "local",
     "https://db.example/"},
    {{.endpoint = "https://db.example", .profile = "sso"}, "", "gets its keys by", "", "", "", ""},
};

static void check_text(size_t row, od_str got, const char *expected)
{
    if (!od_str_eq(got, od_cstr(expected))) {
        fail_msg("row %zu: got \"%.*s\", expected \"%s\"", row, OD_STR_ARG(got), expected);
    }
}

static void what_is_said_nearest_counts(void **state)
{
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        set_environment(row->environment);
        od_ctx cx = {.arena = *state};
        struct od_config config;
        const od_status status = od_config_read(&cx, &row->options, &config);
        if (row->error != NULL) {
            if (status == OD_OK || !od_str_contains(cx.error, od_cstr(row->error))) {
                fail_msg("row %zu: status %d, \"%.*s\"", i, status, OD_STR_ARG(cx.error));
            }
            continue;
        }
        if (status != OD_OK) {
            fail_msg("row %zu: \"%.*s\"", i, OD_STR_ARG(cx.error));
        }
        check_text(i, config.key.id, row->key_id);
        check_text(i, config.session_token, row->token);
        check_text(i, config.key.region, row->region);
        check_text(i, od_cstr(config.endpoint.url), row->url);
        check_text(i, config.key.service, "dynamodb");
    }
}

static void a_client_says_why_it_cannot_be_opened(void **state)
{
    (void)state;
    set_environment(NULL);
    ordna_client *client = NULL;
    char error[16] = "";
    const ordna_client_options nowhere = {0};
    assert_int_equal(ordna_client_open(&nowhere, &client, error, sizeof(error)),
                     ORDNA_BAD_ARGUMENT);
    assert_string_equal(error, "no endpoint and"); // as much as there is room for
    assert_int_equal(ordna_client_open(&nowhere, &client, NULL, 0), ORDNA_BAD_ARGUMENT);
    assert_null(client);
    const ordna_transport nothing = {0};
    const ordna_client_options by_nothing = {.transport = &nothing};
    assert_int_equal(ordna_client_open(&by_nothing, &client, error, sizeof(error)),
                     ORDNA_BAD_ARGUMENT);
    ordna_client_close(NULL);
    ordna_session_close(NULL);
}

// --- Endpoints ----------------------------------------------------------------------------------

static const struct endpoint_row {
    const char *text;
    const char *error; // a part of it; NULL: there is none
    const char *url;
    const char *host;
    const char *path;
} endpoint_rows[] = {
    {"", "is no URL", "", "", ""},
    {"localhost", "is no URL such as", "", "", ""},
    {"localhost:8000", "endpoint \"localhost:8000\"", "", "", ""},
    {"ftp://localhost", "begins neither", "", "", ""},
    {"file:///etc/passwd", "begins neither", "", "", ""},
    {"http://", "is no URL", "", "", ""},
    {"http://h:99999", "is no URL", "", "", ""},
    {"http://user@h", "has a user name", "", "", ""},
    {"http://:secret@h", "has a ", "", "", ""},
    {"http://h/?a=b", "has a query", "", "", ""},
    {"http://h/#f", "has a fragment", "", "", ""},
    {"http://h\xC3\xBC", "ASCII", "", "", ""},
    {"http://h\r\nHost: x", "ASCII", "", "", ""},
    {"http://a b", "ASCII", "", "", ""},
    {"http://localhost:8000", NULL, "http://localhost:8000/", "localhost:8000", "/"},
    {"HTTP://localhost/", NULL, "http://localhost/", "localhost", "/"},
    {"https://[::1]:8443", NULL, "https://[::1]:8443/", "[::1]:8443", "/"},
    {"http://h/a/../b%20c/", NULL, "http://h/b%20c/", "h", "/b%20c/"},
};

static void endpoints_are_urls(void **state)
{
    for (size_t i = 0; i < OD_COUNT(endpoint_rows); i++) {
        const struct endpoint_row *row = &endpoint_rows[i];
        od_ctx cx = {.arena = *state};
        struct od_endpoint endpoint;
        const od_status status = od_endpoint_of_url(&cx, row->text, &endpoint);
        if (row->error != NULL) {
            if (status == OD_OK || !od_str_contains(cx.error, od_cstr(row->error))) {
                fail_msg("row %zu: status %d, \"%.*s\"", i, status, OD_STR_ARG(cx.error));
            }
            continue;
        }
        if (status != OD_OK) {
            fail_msg("row %zu: \"%.*s\"", i, OD_STR_ARG(cx.error));
        }
        check_text(i, od_cstr(endpoint.url), row->url);
        check_text(i, endpoint.host, row->host);
        check_text(i, endpoint.path, row->path);
    }
}

static void regions_have_their_partitions_names(void **state)
{
    static const struct {
        const char *region;
        const char *host;
    } regions[] = {
        {"us-east-1", "dynamodb.us-east-1.amazonaws.com"},
        {"us-gov-west-1", "dynamodb.us-gov-west-1.amazonaws.com"},
        {"cn-north-1", "dynamodb.cn-north-1.amazonaws.com.cn"},
        {"us-iso-east-1", "dynamodb.us-iso-east-1.c2s.ic.gov"},
        {"us-isob-east-1", "dynamodb.us-isob-east-1.sc2s.sgov.gov"},
        {"us-isof-south-1", "dynamodb.us-isof-south-1.csp.hci.ic.gov"},
        {"eu-isoe-west-1", "dynamodb.eu-isoe-west-1.cloud.adc-e.uk"},
        {"eusc-de-east-1", "dynamodb.eusc-de-east-1.amazonaws.eu"},
    };
    for (size_t i = 0; i < OD_COUNT(regions); i++) {
        od_ctx cx = {.arena = *state};
        struct od_endpoint endpoint;
        assert_int_equal(od_endpoint_of_region(&cx, od_cstr(regions[i].region), &endpoint), OD_OK);
        check_text(i, endpoint.host, regions[i].host);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_said_nearest_counts, setup, teardown),
        cmocka_unit_test(a_client_says_why_it_cannot_be_opened),
        cmocka_unit_test_setup_teardown(endpoints_are_urls, setup, teardown),
        cmocka_unit_test_setup_teardown(regions_have_their_partitions_names, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
