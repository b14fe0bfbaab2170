#!/bin/sh
# Runs each fuzz target on its corpus, and closes with "N passed, N failed".
# Usage: tools/fuzz.sh SECONDS-EACH [TARGET...]
# A target that was fuzzed as it is now is not fuzzed again unless it is named: its seeds are run.
# Named ones go their own ways each time; else the way is always the same, so that a finding comes
# from a change.
set -eu
cd "$(dirname "$0")/.."

seconds=$1
shift
named=$*

build="build-fuzz"
CC=clang CXX=clang++ tools/build.sh "$build" -Dfuzz=true -Dtests=false -Db_lundef=false \
    -Db_pie=false >&2

fuzz() {
    name=$1
    target="$build/tests/fuzz/${name}_fuzz"
    found="$build/corpus/$name"
    done_before="$build/fuzzed-$name"
    mkdir -p "$found" "tests/fuzz/corpus/$name"

    sum=$(sha256sum <"$target")
    time="-max_total_time=$seconds"
    if [ -z "$named" ] && [ "$(cat "$done_before" 2>/dev/null)" = "$sum" ]; then
        time="-runs=0"
    fi
    seed="-seed=1"
    [ -z "$named" ] || seed="-seed=0"
    "$target" "$time" "$seed" -timeout=30 -rss_limit_mb=2048 -artifact_prefix="$build/$name-" \
        "$found" "tests/fuzz/corpus/$name" >"$build/$name.log" 2>&1 || return 1
    echo "$sum" >"$done_before"
}

passed=0
failed=0
for source in tests/fuzz/*_fuzz.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" _fuzz.c)
    if [ -n "$named" ] && ! echo " $named " | grep -q " $name "; then
        continue
    fi
    if fuzz "$name"; then
        passed=$((passed + 1))
        echo "fuzz $name: ok"
    else
        failed=$((failed + 1))
        echo "fuzz $name: FAILED; the input is $build/$name-*, the report:"
        tail -n 40 "$build/$name.log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
