// Any bytes as a number's text, and as a packed number.
#include "model/number.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_same(od_number a, od_number b)
{
    return a.coefficient == b.coefficient && a.exponent == b.exponent && a.negative == b.negative;
}

static void check_packed(od_number n)
{
    char bytes[OD_NUMBER_PACKED_MAX];
    od_str packed = {bytes, od_number_pack(n, bytes)};
    assert(od_number_packed_len(packed) == packed.len);
    assert(memchr(bytes, 0, packed.len) == NULL);
    assert(is_same(od_number_unpack(packed), n));
}

static void check_text(od_ctx *cx, od_number n)
{
    char text[OD_NUMBER_TEXT_MAX];
    od_str canonical = {text, od_number_text(n, text)};
    od_number again = {0};
    od_status status = od_number_parse(cx, canonical, &again);
    assert(status == OD_OK && is_same(again, n));
}

static void check_arithmetic(od_ctx *cx, od_number n)
{
    assert(od_number_size(n) <= 22);
    od_number result = {0};
    od_status status = od_number_subtract(cx, n, n, &result);
    assert(status == OD_OK && result.coefficient == 0);
    if (od_number_add(cx, n, od_number_from_u64(1), &result) == OD_OK) {
        check_packed(result);
        status = od_number_subtract(cx, result, od_number_from_u64(1), &result);
        assert(status == OD_OK && is_same(result, n));
    }
}

static void check_number(od_ctx *cx, od_number n)
{
    check_packed(n);
    check_text(cx, n);
    check_arithmetic(cx, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_ctx cx = {.arena = od_arena_create()};
    od_str bytes = od_arena_copy(cx.arena, (od_str){(const char *)data, size});
    od_number n = {0};
    if (od_number_parse(&cx, bytes, &n) == OD_OK) {
        check_number(&cx, n);
    }
    size_t len = od_number_packed_len(bytes);
    if (len > 0) {
        od_str packed = {bytes.ptr, len};
        char again[OD_NUMBER_PACKED_MAX];
        n = od_number_unpack(packed);
        assert(od_str_eq((od_str){again, od_number_pack(n, again)}, packed));
        check_number(&cx, n);
    }
    od_arena_destroy(cx.arena);
    return 0;
}
