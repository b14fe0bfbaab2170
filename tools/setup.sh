#!/bin/sh
# Installs from Debian what ordna needs. Usage: tools/setup.sh build|test|check
# Does nothing, in well under a second, when everything is there. Debian 12 and 13.
set -eu

build="make gcc g++ libc6-dev meson ninja-build pkgconf librocksdb-dev libuv1-dev libxxhash-dev
 uthash-dev libdeflate-dev libyyjson-dev libllhttp-dev libcurl4-openssl-dev libssl-dev"
test="clang libclang-rt-dev libcmocka-dev python3 python3-boto3 awscli"
check="clang clang-format clang-tidy libcmocka-dev python3"

case "${1:-}" in
build) want="$build" ;;
test) want="$build $test" ;;
check) want="$build $check" ;;
*)
    echo "usage: tools/setup.sh build|test|check" >&2
    exit 2
    ;;
esac

# A Node.js from elsewhere brings its own npm, and Debian's npm would conflict with it.
if [ "$1" = test ] && ! { command -v node && command -v npm; } >/dev/null 2>&1; then
    want="$want nodejs npm"
fi

# Those of the packages in "$@" that are not installed.
list_missing() {
    # dpkg-query fails when a package is unknown to it; its other lines are still right.
    { dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true; } |
        awk -v want="$*" '
            $1 == "installed" { here[$2] = 1 }
            END { n = split(want, names, " ")
                  for (i = 1; i <= n; i++) if (!(names[i] in here)) print names[i] }'
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        echo "tools/setup.sh: to run '$*', be root or install sudo" >&2
        exit 1
    fi
}

# The archive that this machine already takes Debian 12 from.
mirror() {
    # shellcheck disable=SC2016 # apt expands these
    apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' |
        awk '$1 == "bookworm" && $2 == "main" { print $3; exit }'
}

# Adds Debian 13's archive below every package that Debian 12 has, so that nothing comes from it
# but what is asked for by name and absent from Debian 12.
add_trixie() {
    uri=$(mirror)
    if [ -z "$uri" ]; then
        echo "tools/setup.sh: apt knows no archive of Debian 12 to derive Debian 13's from" >&2
        exit 1
    fi
    echo "deb $uri trixie main" |
        as_root tee /etc/apt/sources.list.d/ordna-trixie.list >/dev/null
    printf 'Package: *\nPin: release n=trixie\nPin-Priority: 100\n' |
        as_root tee /etc/apt/preferences.d/ordna-trixie >/dev/null
    # An older key ring may not know Debian 13's keys.
    as_root apt-get install -q -y --no-install-recommends debian-archive-keyring
    as_root apt-get update -q
}

# shellcheck disable=SC2086 # lists of words
missing=$(list_missing $want)
[ -n "$missing" ] || exit 0

echo "tools/setup.sh: installing from Debian: $(echo "$missing" | tr "\n" " ")"
as_root apt-get update -q
# The two packages that Debian 12 lacks; they need only libc.
if grep -q '^VERSION_CODENAME=bookworm' /etc/os-release && [ -n "$(list_missing libyyjson-dev libllhttp-dev)" ] &&
    [ ! -e /etc/apt/sources.list.d/ordna-trixie.list ]; then
    add_trixie
fi
# shellcheck disable=SC2086 # a list of words
as_root apt-get install -q -y --no-install-recommends $missing
