#!/bin/sh
# Installs from Debian what ordna needs. Usage: tools/setup.sh build|test|bench
# Does nothing, in well under a second, when everything is there.
set -eu

build="gcc g++ libc6-dev meson ninja-build pkg-config librocksdb-dev libuv1-dev libxxhash-dev
 uthash-dev zlib1g-dev libyyjson-dev libllhttp-dev ca-certificates"
tests="clang clang-format clang-tidy clang-tools libcmocka-dev python3 python3-boto3 awscli nodejs npm curl"
bench="linux-perf"

case "${1:-}" in
build) want="$build" ;;
test) want="$build $tests" ;;
bench) want="$build $bench" ;;
*)
    echo "usage: tools/setup.sh build|test|bench" >&2
    exit 2
    ;;
esac

missing=""
for package in $want; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
echo "missing:$missing"
