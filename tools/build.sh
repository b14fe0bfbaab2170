#!/bin/sh
# Builds in a folder, which it sets up first if need be. Usage: tools/build.sh DIR [MESON OPTION...]
set -eu

dir=$1
shift
[ -f "$dir/build.ninja" ] || meson setup "$dir" "$@"
exec ninja -C "$dir"
