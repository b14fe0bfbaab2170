// Times and UUIDs as text.
#include "mapper/value_text.h"

#include "base/attr.h"

#include <string.h>

// --- Digits -------------------------------------------------------------------------------------

static void put_two(char *out, int64_t n)
{
    const unsigned small = (unsigned)n;
    out[0] = (char)('0' + small / 10);
    out[1] = (char)('0' + small % 10);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Takes `width` digits off the front of `s`.
static bool take_digits(od_str *s, size_t width, int64_t *out)
{
    if (s->len < width) {
        return false;
    }
    *out = 0;
    for (size_t i = 0; i < width; i++) {
        if (!is_digit(s->ptr[i])) {
            return false;
        }
        *out = *out * 10 + (s->ptr[i] - '0');
    }
    *s = od_str_skip(*s, width);
    return true;
}

static bool take_char(od_str *s, const char *any_of)
{
    if (s->len == 0 || s->ptr[0] == '\0' || strchr(any_of, s->ptr[0]) == NULL) {
        return false;
    }
    *s = od_str_skip(*s, 1);
    return true;
}

// --- The calendar -------------------------------------------------------------------------------

enum {
    MS_PER_SECOND = 1000,
    MS_PER_MINUTE = 60 * MS_PER_SECOND,
    MS_PER_HOUR = 60 * MS_PER_MINUTE,
    MS_PER_DAY = 24 * MS_PER_HOUR,
    DAYS_PER_ERA = 146097, // 400 years
    EPOCH_DAY = 719468,    // 1970-01-01, counted from 0000-03-01
};

// 0001-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z.
static const int64_t first_ms = INT64_C(-62135596800000);
static const int64_t last_ms = INT64_C(253402300799999);

struct date {
    int64_t year, month, day;
};

// Years begin in March here, so that the leap day is their last.
static struct date date_of(int64_t days)
{
    const int64_t from_start = days + EPOCH_DAY;
    const int64_t era = from_start / DAYS_PER_ERA;
    const int64_t day = from_start % DAYS_PER_ERA;
    const int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    const int64_t of_year = day - (365 * year + year / 4 - year / 100);
    const int64_t month = (5 * of_year + 2) / 153;
    struct date date = {
        .year = era * 400 + year,
        .month = month < 10 ? month + 3 : month - 9,
        .day = of_year - (153 * month + 2) / 5 + 1,
    };
    date.year += date.month <= 2;
    return date;
}

static int64_t days_of(struct date date)
{
    const int64_t year = date.year - (date.month <= 2);
    const int64_t era = year / 400;
    const int64_t of_era = year % 400;
    const int64_t month = date.month > 2 ? date.month - 3 : date.month + 9;
    const int64_t of_year = (153 * month + 2) / 5 + date.day - 1;
    return era * DAYS_PER_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH_DAY;
}

static bool is_date(struct date date)
{
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (date.year < 1 || date.month < 1 || date.month > 12 || date.day < 1) {
        return false;
    }
    const bool leap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0);
    return date.day <= days[date.month - 1] + (leap && date.month == 2);
}

// --- Times --------------------------------------------------------------------------------------

bool od_time_write(ordna_time time, char out[OD_TIME_LEN])
{
    if (time < first_ms || time > last_ms) {
        return false;
    }
    const int64_t since_first = time - first_ms;
    const struct date date = date_of(since_first / MS_PER_DAY + first_ms / MS_PER_DAY);
    const unsigned ms = (unsigned)(since_first % MS_PER_DAY);
    memcpy(out, "yyyy-mm-ddThh:mm:ss.mmmZ", OD_TIME_LEN);
    put_two(out, date.year / 100);
    put_two(out + 2, date.year % 100);
    put_two(out + 5, date.month);
    put_two(out + 8, date.day);
    put_two(out + 11, ms / MS_PER_HOUR);
    put_two(out + 14, ms / MS_PER_MINUTE % 60);
    put_two(out + 17, ms / MS_PER_SECOND % 60);
    out[20] = (char)('0' + ms % MS_PER_SECOND / 100);
    put_two(out + 21, ms % 100);
    return true;
}

static bool take_date(od_str *s, int64_t *days)
{
    struct date date = {0};
    if (!take_digits(s, 4, &date.year) || !take_char(s, "-") || !take_digits(s, 2, &date.month) ||
        !take_char(s, "-") || !take_digits(s, 2, &date.day) || !is_date(date)) {
        return false;
    }
    *days = days_of(date);
    return true;
}

// Digits after a point; those beyond milliseconds do not count.
static bool take_fraction(od_str *s, int64_t *ms)
{
    if (!take_char(s, ".")) {
        return true;
    }
    int64_t unit = MS_PER_SECOND;
    size_t count = 0;
    for (; count < s->len && is_digit(s->ptr[count]); count++) {
        unit /= 10;
        *ms += (s->ptr[count] - '0') * unit;
    }
    *s = od_str_skip(*s, count);
    return count > 0;
}

static bool take_clock(od_str *s, int64_t *ms)
{
    int64_t hour = 0;
    int64_t minute = 0;
    int64_t second = 0;
    if (!take_digits(s, 2, &hour) || !take_char(s, ":") || !take_digits(s, 2, &minute) ||
        !take_char(s, ":") || !take_digits(s, 2, &second) || hour > 23 || minute > 59 ||
        second > 59) {
        return false;
    }
    *ms = (hour * 60 + minute) * MS_PER_MINUTE + second * MS_PER_SECOND;
    return take_fraction(s, ms);
}

static bool take_offset(od_str *s, int64_t *ms)
{
    *ms = 0;
    if (take_char(s, "Zz")) {
        return true;
    }
    const int64_t sign = s->len > 0 && s->ptr[0] == '-' ? -1 : 1;
    int64_t hour = 0;
    int64_t minute = 0;
    if (!take_char(s, "+-") || !take_digits(s, 2, &hour) || !take_char(s, ":") ||
        !take_digits(s, 2, &minute) || hour > 23 || minute > 59) {
        return false;
    }
    *ms = sign * (hour * 60 + minute) * MS_PER_MINUTE;
    return true;
}

// Eight characters at once: 0x80 stands where `at` has no digit and the form has one, and other
// bits where another character differs.
static uint64_t differs(const char *at, const char *form, uint64_t digits)
{
    uint64_t text = 0;
    uint64_t wanted = 0;
    memcpy(&text, at, sizeof(text));
    memcpy(&wanted, form, sizeof(wanted));
    // Of a digit x is 0 to 9, and x + 0x76 has no top bit. No byte carries into the next: those
    // with a top bit have lost it.
    const uint64_t x = text ^ wanted;
    const uint64_t low = x & UINT64_C(0x7F7F7F7F7F7F7F7F);
    return ((x | (low + UINT64_C(0x7676767676767676))) & digits & UINT64_C(0x8080808080808080)) |
           (x & ~digits);
}

// Whether the text is as od_time_write makes it: digits where the form has a 0.
static bool is_own_form(od_str text)
{
    static const char form[] = "0000-00-00T00:00:00.000Z";
    static const unsigned char digit_bytes[OD_TIME_LEN] = {
        0xFF, 0xFF, 0xFF, 0xFF, 0, 0xFF, 0xFF, 0, 0xFF, 0xFF, 0,    0xFF,
        0xFF, 0,    0xFF, 0xFF, 0, 0xFF, 0xFF, 0, 0xFF, 0xFF, 0xFF, 0};
    if (text.len != OD_TIME_LEN) {
        return false;
    }
    uint64_t found = 0;
    for (size_t i = 0; i < OD_TIME_LEN; i += sizeof(found)) {
        uint64_t digits = 0;
        memcpy(&digits, digit_bytes + i, sizeof(digits));
        found |= differs(text.ptr + i, form + i, digits);
    }
    return found == 0;
}

static int64_t two_digits(const char *text)
{
    return (text[0] - '0') * 10 + (text[1] - '0');
}

// Most times are in that form.
static bool read_own_form(od_str text, ordna_time *out)
{
    const char *at = text.ptr;
    const struct date date = {.year = two_digits(at) * 100 + two_digits(at + 2),
                              .month = two_digits(at + 5),
                              .day = two_digits(at + 8)};
    const int64_t hour = two_digits(at + 11);
    const int64_t minute = two_digits(at + 14);
    const int64_t second = two_digits(at + 17);
    if (!is_date(date) || hour > 23 || minute > 59 || second > 59) {
        return false;
    }
    *out = days_of(date) * MS_PER_DAY + (hour * 60 + minute) * MS_PER_MINUTE +
           second * MS_PER_SECOND + two_digits(at + 20) * 10 + (at[22] - '0');
    return true;
}

bool od_time_read(od_str text, ordna_time *out)
{
    if (is_own_form(text)) {
        return read_own_form(text, out);
    }
    int64_t days = 0;
    int64_t ms = 0;
    int64_t offset = 0;
    if (!take_date(&text, &days) || !take_char(&text, "Tt ") || !take_clock(&text, &ms) ||
        !take_offset(&text, &offset) || text.len > 0) {
        return false;
    }
    const int64_t time = days * MS_PER_DAY + ms - offset;
    if (time < first_ms || time > last_ms) {
        return false;
    }
    *out = time;
    return true;
}

bool ordna_time_to_text(ordna_time time, char out[ORDNA_TIME_TEXT_SIZE])
{
    out[0] = '\0';
    if (!od_time_write(time, out)) {
        return false;
    }
    out[OD_TIME_LEN] = '\0';
    return true;
}

bool ordna_time_from_text(const char *text, ordna_time *out)
{
    return od_time_read(od_cstr(text), out);
}

// --- UUIDs --------------------------------------------------------------------------------------

static bool has_dash_before(size_t byte)
{
    return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

void od_uuid_write(ordna_uuid uuid, char out[OD_UUID_LEN])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof(uuid.bytes); i++) {
        if (has_dash_before(i)) {
            *out++ = '-';
        }
        *out++ = digits[uuid.bytes[i] >> 4];
        *out++ = digits[uuid.bytes[i] & 15];
    }
}

enum { NO_DIGIT = 0xF0 };

// A hex digit's value, with bits of NO_DIGIT for all else.
static uint8_t hex_digit(char c)
{
    static const uint8_t one_more[256] = {
        ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
        ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
        ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
        ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
    };
    return (uint8_t)(one_more[(unsigned char)c] - 1);
}

bool od_uuid_read(od_str text, ordna_uuid *out)
{
    static const uint8_t places[] = {0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};
    if (text.len != OD_UUID_LEN || text.ptr[8] != '-' || text.ptr[13] != '-' ||
        text.ptr[18] != '-' || text.ptr[23] != '-') {
        return false;
    }
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof(out->bytes); i++) {
        const uint8_t high = hex_digit(text.ptr[places[i]]);
        const uint8_t low = hex_digit(text.ptr[places[i] + 1]);
        seen |= (unsigned)high | low;
        out->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return (seen & NO_DIGIT) == 0;
}

void ordna_uuid_to_text(ordna_uuid uuid, char out[ORDNA_UUID_TEXT_SIZE])
{
    od_uuid_write(uuid, out);
    out[OD_UUID_LEN] = '\0';
}

bool ordna_uuid_from_text(const char *text, ordna_uuid *out)
{
    return od_uuid_read(od_cstr(text), out);
}
