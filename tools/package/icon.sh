#!/usr/bin/env bash
# Draws `gaur.ico`, the icon of the Windows program, from `gaur.svg`. Run it after a change of `gaur.svg`.
# It needs Debian's packages librsvg2-bin and icoutils.
set -euo pipefail
cd "$(dirname "$0")"

images=$(mktemp -d)
trap 'rm -r "$images"' EXIT
for size in 16 32 48 256; do
  rsvg-convert --width "$size" --height "$size" gaur.svg --output "$images/$size.png"
done
# Windows reads PNG data at 256 pixels; the smaller images are bitmaps, which every version reads.
icotool --create --output gaur.ico "$images"/{16,32,48}.png --raw="$images/256.png"
