// The files that the AWS CLI writes: sections, settings, comments, and settings within settings on
// indented lines, which are none of ours.
//
//     [default]                         # credentials
//     aws_access_key_id = AKIDEXAMPLE
//     aws_secret_access_key = ...
//
//     [profile test]                    ; config
//     region = eu-west-1
//     s3 =
//       max_concurrent_requests = 20
#include "client/config/config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILE_BYTES = 1024 * 1024 };

// --- Lines --------------------------------------------------------------------------------------

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// Up to the first `separator`, and what stands behind it. All of it when there is none.
static od_str split(od_str s, char separator, od_str *rest)
{
    const char *end = s.len == 0 ? NULL : memchr(s.ptr, separator, s.len);
    const size_t len = end == NULL ? s.len : (size_t)(end - s.ptr);
    *rest = od_str_skip(s, end == NULL ? len : len + 1);
    return (od_str){s.ptr, len};
}

// A comment begins at the line's start, or after a space.
static od_str without_comment(od_str line)
{
    for (size_t i = 0; i < line.len; i++) {
        const char c = line.ptr[i];
        if ((c == '#' || c == ';') && (i == 0 || is_space(line.ptr[i - 1]))) {
            return (od_str){line.ptr, i};
        }
    }
    return line;
}

static bool is_section(od_str line, od_str name, bool is_config)
{
    od_str behind = {0};
    const od_str title = od_str_trim(split(od_str_skip(line, 1), ']', &behind));
    static const od_str word = OD_STR_INIT("profile");
    if (is_config && od_str_has_prefix(title, word) && title.len > word.len &&
        is_space(title.ptr[word.len])) {
        return od_str_eq(od_str_trim(od_str_skip(title, word.len)), name);
    }
    return od_str_eq(title, name) && (!is_config || od_str_eq(name, OD_STR("default")));
}

// --- Settings -----------------------------------------------------------------------------------

static const struct {
    od_str name;
    size_t offset;
} settings[] = {
    {OD_STR_INIT("aws_access_key_id"), offsetof(struct od_profile, key_id)},
    {OD_STR_INIT("aws_secret_access_key"), offsetof(struct od_profile, secret)},
    {OD_STR_INIT("aws_session_token"), offsetof(struct od_profile, token)},
    {OD_STR_INIT("region"), offsetof(struct od_profile, region)},
};

static const od_str other_ways[] = {
    OD_STR_INIT("credential_process"),
    OD_STR_INIT("credential_source"),
    OD_STR_INIT("role_arn"),
    OD_STR_INIT("source_profile"),
    OD_STR_INIT("sso_session"),
    OD_STR_INIT("sso_start_url"),
    OD_STR_INIT("web_identity_token_file"),
    OD_STR_INIT("login_session"),
};

static void take_setting(od_arena *arena, od_str line, struct od_profile *out)
{
    od_str value = {0};
    const od_str name = od_str_trim(split(line, '=', &value));
    value = od_str_trim(value);
    for (size_t i = 0; i < OD_COUNT(settings); i++) {
        od_str *place = (od_str *)(void *)((char *)out + settings[i].offset);
        if (place->len == 0 && od_str_eq_nocase(name, settings[i].name)) {
            *place = od_arena_copy(arena, value);
        }
    }
    for (size_t i = 0; i < OD_COUNT(other_ways); i++) {
        if (od_str_eq_nocase(name, other_ways[i])) {
            out->other_way = other_ways[i];
        }
    }
}

void od_profile_parse(od_arena *arena, od_str text, od_str name, bool is_config,
                      struct od_profile *out)
{
    static const od_str mark = OD_STR_INIT("\xEF\xBB\xBF"); // what some editors put in front
    bool ours = false;
    od_str rest = od_str_has_prefix(text, mark) ? od_str_skip(text, mark.len) : text;
    while (rest.len > 0) {
        const od_str full = without_comment(split(rest, '\n', &rest));
        const od_str line = od_str_trim(full);
        if (line.len == 0) {
            continue;
        }
        if (line.ptr[0] == '[') {
            ours = is_section(line, name, is_config);
            out->found = out->found || ours;
        } else if (ours && !is_space(full.ptr[0])) {
            take_setting(arena, line, out);
        }
    }
}

// --- Files --------------------------------------------------------------------------------------

static od_status read_all(od_ctx *cx, int fd, const char *path, od_str *out)
{
    struct stat stat = {0};
    if (fstat(fd, &stat) != 0 || !S_ISREG(stat.st_mode) || stat.st_size > MAX_FILE_BYTES) {
        return OD_FAIL(cx, OD_VALIDATION, "%s is no file of at most 1 MB", path);
    }
    char *bytes = od_arena_bytes(cx->arena, (size_t)stat.st_size + 1);
    size_t len = 0;
    while (len < (size_t)stat.st_size) {
        const ssize_t got = read(fd, bytes + len, (size_t)stat.st_size - len);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            return OD_FAIL(cx, OD_VALIDATION, "cannot read %s: %s", path, strerror(errno));
        }
        len += got < 0 ? 0 : (size_t)got;
    }
    *out = (od_str){bytes, len};
    return OD_OK;
}

od_status od_profile_read(od_ctx *cx, const char *path, od_str name, bool is_config,
                          struct od_profile *out)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        return OD_OK;
    }
    if (fd < 0) {
        return OD_FAIL(cx, OD_VALIDATION, "cannot read %s: %s", path, strerror(errno));
    }
    od_str text = {0};
    const od_status status = read_all(cx, fd, path, &text);
    close(fd);
    OD_TRY(status);
    od_profile_parse(cx->arena, text, name, is_config, out);
    return OD_OK;
}
