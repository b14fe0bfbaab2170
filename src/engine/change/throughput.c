#include "engine/change/throughput.h"

#include "base/clock.h"
#include "base/date.h"

enum {
    MS_OF_HOUR = 60 * 60 * 1000,
    MS_OF_DAY = 24 * MS_OF_HOUR,
    FREE_DECREASES = 4, // a UTC day; later ones need an hour without any
};

int64_t od_decreases_today(const struct od_throughput_log *log)
{
    bool is_today = log->decrease_ms / MS_OF_DAY == od_clock_ms() / MS_OF_DAY;
    return is_today ? log->decreases : 0;
}

static bool is_decrease(struct od_throughput before, struct od_throughput after)
{
    return after.read_units < before.read_units || after.write_units < before.write_units;
}

static bool is_increase(struct od_throughput before, struct od_throughput after)
{
    return is_decrease(after, before);
}

// An hour after the last one, unless another day begins before.
static int64_t next_decrease_ms(const struct od_throughput_log *log)
{
    int64_t hour_ms = log->decrease_ms + MS_OF_HOUR;
    int64_t day_ms = (log->decrease_ms / MS_OF_DAY + 1) * MS_OF_DAY;
    return hour_ms < day_ms ? hour_ms : day_ms;
}

static od_status check_decrease(od_ctx *cx, const struct od_throughput_log *log)
{
    int64_t today = od_decreases_today(log);
    int64_t next_ms = next_decrease_ms(log);
    if (today < FREE_DECREASES || od_clock_ms() >= next_ms) {
        return OD_OK;
    }
    char last[OD_DATE_SIZE];
    char next[OD_DATE_SIZE];
    return OD_FAIL(cx, OD_LIMIT_EXCEEDED,
                   "Subscriber limit exceeded: Provisioned throughput decreases are limited within "
                   "a given UTC day. After the first %d decreases, each subsequent decrease in the "
                   "same UTC day can be performed at most once every 3600 seconds. Number of "
                   "decreases today: %lld. Last decrease at %s. Next decrease can be made at %s",
                   FREE_DECREASES, (long long)today, od_date_long(last, log->decrease_ms).ptr,
                   od_date_long(next, next_ms).ptr);
}

static od_status will_not_change(od_ctx *cx, const struct od_throughput_place *place,
                                 struct od_throughput asked)
{
    const char *blank = place->name.len > 0 ? " " : "";
    return OD_FAIL(
        cx, OD_VALIDATION,
        "The provisioned throughput for the %s%s%.*s will not change. The requested value equals "
        "the current value. Current ReadCapacityUnits provisioned for the %s: %lld. Requested "
        "ReadCapacityUnits: %lld. Current WriteCapacityUnits provisioned for the %s: %lld. "
        "Requested WriteCapacityUnits: %lld. Refer to the Amazon DynamoDB Developer Guide for "
        "current limits and how to request higher limits.",
        place->kind, blank, OD_STR_ARG(place->name), place->kind, (long long)place->now.read_units,
        (long long)asked.read_units, place->kind, (long long)place->now.write_units,
        (long long)asked.write_units);
}

od_status od_throughput_check(od_ctx *cx, const struct od_throughput_place *place,
                              struct od_throughput asked)
{
    if (is_decrease(place->now, asked)) {
        return check_decrease(cx, place->log);
    }
    return is_increase(place->now, asked) ? OD_OK : will_not_change(cx, place, asked);
}

void od_throughput_note(struct od_throughput_log *log, struct od_throughput before,
                        struct od_throughput after)
{
    int64_t now_ms = od_clock_ms();
    if (is_increase(before, after)) {
        log->increase_ms = now_ms;
    }
    if (is_decrease(before, after)) {
        log->decreases = od_decreases_today(log) + 1;
        log->decrease_ms = now_ms;
    }
}

static od_status check_limit(od_ctx *cx, od_str place, const char *name, int64_t asked,
                             bool on_demand, bool is_there)
{
    if (asked == OD_NOT_GIVEN) {
        return OD_OK;
    }
    if (!on_demand) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "One or more parameter values were invalid: %s of OnDemandThroughput can be "
                       "specified only when BillingMode is PAY_PER_REQUEST",
                       name);
    }
    if (asked < 1 && !(is_there && asked == -1)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "One or more parameter values were invalid: Requested %s for "
                       "OnDemandThroughput for %.*s is outside of valid range",
                       name, OD_STR_ARG(place));
    }
    return OD_OK;
}

od_status od_limits_check(od_ctx *cx, od_str place, struct od_request_limits asked, bool on_demand,
                          bool is_there)
{
    OD_TRY(
        check_limit(cx, place, "MaxReadRequestUnits", asked.max_read_units, on_demand, is_there));
    return check_limit(cx, place, "MaxWriteRequestUnits", asked.max_write_units, on_demand,
                       is_there);
}
