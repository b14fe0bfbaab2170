#!/bin/sh
# Builds in a folder, which it sets up first if need be. Silent when there is nothing to do.
# Usage: tools/build.sh DIR [MESON OPTION...]
set -eu

dir=$1
shift
[ -f "$dir/build.ninja" ] || meson setup "$dir" "$@"
case "$(ninja -C "$dir" -n)" in
*"no work to do."*) ;;
*) exec ninja -C "$dir" ;;
esac
