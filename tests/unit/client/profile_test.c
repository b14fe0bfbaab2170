#include "client/config/config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const off_t max_bytes = 1 << 20; // of a file

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
        fail_msg("row %zu: got \"%.*s\", expected \"%s\"", row, OD_STR_ARG(got), expected);
    }
}

// What a text says of a profile.
static const struct row {
    const char *text;
    const char *name;
    bool is_config;
    bool found;
    const char *key_id;
    const char *secret;
    const char *token;
    const char *region;
    const char *other_way;
} rows[] = {
    // Nothing.
    {"", "default", false, false, "", "", "", "", ""},
    {"\n\n", "default", false, false, "", "", "", "", ""},
    {"[", "default", false, false, "", "", "", "", ""},
    {"[]", "", false, true, "", "", "", "", ""},
    {"aws_access_key_id = A", "default", false, false, "", "", "", "", ""},
    {"[other]\naws_access_key_id = A", "default", false, false, "", "", "", "", ""},
    {"[Default]\naws_access_key_id = A", "default", false, false, "", "", "", "", ""},
    {"# [default]\n;[default]\naws_access_key_id=A", "default", false, false, "", "", "", "", ""},
    {"[default]\n=\n = \naws_access_key_id\n= A\nx", "default", false, true, "", "", "", "", ""},
    // Credentials.
    {"[default]\naws_access_key_id = A\naws_secret_access_key = s/+=\n", "default", false, true,
     "A", "s/+=", "", "", ""},
    {"\xEF\xBB\xBF[default]\r\nAWS_ACCESS_KEY_ID=A\r\n", "default", false, true, "A", "", "", "",
     ""},
    {"  [ a b ]  \naws_session_token\t=\tT # new\nregion=eu-west-1 ; here", "a b", false, true, "",
     "", "T", "eu-west-1", ""},
    {"[default] # mine\naws_secret_access_key = a#b;c", "default", false, true, "", "a#b;c", "", "",
     ""},
    {"[a]\naws_access_key_id=A\n[b]\naws_access_key_id=B\n[a]\naws_secret_access_key=s", "a", false,
     true, "A", "s", "", "", ""},
    {"[profile a]\naws_access_key_id=A", "a", false, false, "", "", "", "", ""},
    // Config.
    {"[a]\nregion=r", "a", true, false, "", "", "", "", ""},
    {"[profile a]\nregion=r", "a", true, true, "", "", "", "r", ""},
    {"[profile\ta b]\nregion=r", "a b", true, true, "", "", "", "r", ""},
    {"[profilea]\nregion=r", "a", true, false, "", "", "", "", ""},
    {"[profile]\nregion=r", "profile", true, false, "", "", "", "", ""},
    {"[default]\nregion=r", "default", true, true, "", "", "", "r", ""},
    {"[profile default]\nregion=r", "default", true, true, "", "", "", "r", ""},
    {"[default]\ns3 =\n  region = nested\nregion = r", "default", true, true, "", "", "", "r", ""},
    {"[profile a]\ncredential_process = /bin/x", "a", true, true, "", "", "", "",
     "credential_process"},
    {"[profile a]\nsso_session = x", "a", true, true, "", "", "", "", "sso_session"},
};

static void texts_say_what_a_profile_is(void **state)
{
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        struct od_profile profile = {0};
        od_profile_parse(*state, od_cstr(row->text), od_cstr(row->name), row->is_config, &profile);
        if (profile.found != row->found) {
            fail_msg("row %zu: found %d", i, profile.found);
        }
        check_text(i, profile.key_id, row->key_id);
        check_text(i, profile.secret, row->secret);
        check_text(i, profile.token, row->token);
        check_text(i, profile.region, row->region);
        check_text(i, profile.other_way, row->other_way);
    }
}

// Pieces in any order, cut anywhere: nothing is read past the end.
static void no_text_is_too_odd(void **state)
{
    static const char *const pieces[] = {
        "[",
        "]",
        "profile ",
        "default",
        "\n",
        "\r\n",
        "=",
        " ",
        "\t",
        "#",
        ";",
        "\xEF\xBB\xBF",
        "aws_access_key_id",
        "aws_secret_access_key",
        "region",
        "role_arn",
        "\xFF",
        "x",
        "  y = z",
    };
    unsigned seed = 20261130;
    for (int round = 0; round < 20000; round++) {
        struct od_buf text = {.arena = *state};
        const int count = rand_r(&seed) % 24;
        for (int i = 0; i < count; i++) {
            const size_t which = (size_t)rand_r(&seed) % (OD_COUNT(pieces) + 1);
            od_buf_put(&text,
                       which < OD_COUNT(pieces) ? od_cstr(pieces[which]) : (od_str){"\0", 1});
        }
        // Its own memory, so that ASan sees the end.
        const size_t len = text.len == 0 ? 0 : text.len - (size_t)rand_r(&seed) % text.len;
        char *exact = malloc(len + (len == 0));
        if (len > 0) {
            memcpy(exact, text.ptr, len);
        }
        struct od_profile profile = {0};
        od_profile_parse(*state, (od_str){exact, len}, OD_STR("default"), round % 2 == 0, &profile);
        free(exact);
        od_arena_reset(*state);
    }
}

static od_status read_file(od_arena *arena, const char *path, od_str *error)
{
    od_ctx cx = {.arena = arena};
    struct od_profile profile = {0};
    const od_status status = od_profile_read(&cx, path, OD_STR("default"), false, &profile);
    *error = cx.error;
    return status;
}

static void what_is_no_file_of_profiles_is_an_error(void **state)
{
    od_str error = {0};
    assert_int_equal(read_file(*state, "profile_test.none", &error), OD_OK);
    assert_int_equal(read_file(*state, "/dev/null/none", &error), OD_OK);
    assert_int_equal(read_file(*state, "/", &error), OD_VALIDATION);
    assert_true(od_str_contains(error, OD_STR("/ is no file")));
    assert_int_equal(read_file(*state, "/dev/zero", &error), OD_VALIDATION);
    assert_int_equal(mkfifo("profile_test.fifo", 0600), 0);
    assert_int_equal(read_file(*state, "profile_test.fifo", &error), OD_VALIDATION);
    unlink("profile_test.fifo");

    const int fd = open("profile_test.large", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_int_equal(ftruncate(fd, max_bytes + 1), 0);
    assert_int_equal(read_file(*state, "profile_test.large", &error), OD_VALIDATION);
    assert_int_equal(ftruncate(fd, max_bytes), 0);
    assert_int_equal(read_file(*state, "profile_test.large", &error), OD_OK);
    close(fd);
    unlink("profile_test.large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_say_what_a_profile_is, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(no_text_is_too_odd, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(what_is_no_file_of_profiles_is_an_error, arena_setup,
                                        arena_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
