// UUIDs of version 4 and 7 (RFC 9562), and the bounds of ULIDs.
#include "base/clock.h"
#include "base/random.h"
#include "ordna/patterns.h"

#include <string.h>

enum {
    TIME_BYTES = 6,
    VERSION_4 = 0x40,
    VERSION_7 = 0x70,
    VARIANT = 0x80,
    ULID_TIME_CHARS = 10,
    ULID_CHARS = 26,
};
static const int64_t max_id_time = (INT64_C(1) << (8 * TIME_BYTES)) - 1;

ordna_time ordna_now(void)
{
    return od_clock_ms();
}

static void mark(ordna_uuid *uuid, unsigned version)
{
    uuid->bytes[6] = (uint8_t)((uuid->bytes[6] & 0x0F) | version);
    uuid->bytes[8] = (uint8_t)((uuid->bytes[8] & 0x3F) | VARIANT);
}

// Six bytes of milliseconds; what they cannot hold becomes the nearest that they can.
static void put_time(ordna_uuid *uuid, ordna_time time)
{
    uint64_t ms = time < 0 ? 0 : (uint64_t)(time > max_id_time ? max_id_time : time);
    for (int i = TIME_BYTES - 1; i >= 0; i--) {
        uuid->bytes[i] = (uint8_t)ms;
        ms >>= 8;
    }
}

ordna_uuid ordna_uuid4(void)
{
    ordna_uuid uuid;
    od_random_bytes(uuid.bytes, sizeof(uuid.bytes));
    mark(&uuid, VERSION_4);
    return uuid;
}

ordna_uuid ordna_uuid7(void)
{
    return ordna_uuid7_at(ordna_now());
}

ordna_uuid ordna_uuid7_at(ordna_time time)
{
    ordna_uuid uuid;
    od_random_bytes(uuid.bytes, sizeof(uuid.bytes));
    put_time(&uuid, time);
    mark(&uuid, VERSION_7);
    return uuid;
}

static ordna_uuid bound(ordna_time time, int fill)
{
    ordna_uuid uuid;
    memset(uuid.bytes, fill, sizeof(uuid.bytes));
    put_time(&uuid, time);
    mark(&uuid, VERSION_7);
    return uuid;
}

ordna_uuid ordna_uuid7_first(ordna_time time)
{
    return bound(time, 0x00);
}

ordna_uuid ordna_uuid7_last(ordna_time time)
{
    return bound(time, 0xFF);
}

ordna_time ordna_uuid7_time(ordna_uuid uuid)
{
    ordna_time time = 0;
    for (int i = 0; i < TIME_BYTES; i++) {
        time = time << 8 | uuid.bytes[i];
    }
    return time;
}

// Crockford's base 32: no I, L, O, U.
static bool put_ulid(ordna_time time, char fill, char *out)
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    if (time < 0 || time > max_id_time) {
        return false;
    }
    for (int i = ULID_TIME_CHARS - 1; i >= 0; i--) {
        out[i] = digits[time & 31];
        time >>= 5;
    }
    memset(out + ULID_TIME_CHARS, fill, ULID_CHARS - ULID_TIME_CHARS);
    out[ULID_CHARS] = '\0';
    return true;
}

bool ordna_ulid_first(ordna_time time, char out[ORDNA_ULID_TEXT_SIZE])
{
    return put_ulid(time, '0', out);
}

bool ordna_ulid_last(ordna_time time, char out[ORDNA_ULID_TEXT_SIZE])
{
    return put_ulid(time, 'Z', out);
}
