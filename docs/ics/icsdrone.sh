#!/bin/sh
# Gaur on a chess server through icsdrone. See docs/ics-bridges.md.
# The file icsdrone.login beside this one holds the account's name and its password, one line each, and then
# commands for the server.

here=$(dirname "$0")
# Usage: icsdrone.sh [HOST [PORT [ARGUMENTS OF ICSDRONE]]]
host=${1:-freechess.org}
port=${2:-5000}
[ $# -lt 2 ] || shift
[ $# -lt 1 ] || shift
engine=${GAUR_COMMAND:-gaur}

exec icsdrone -icsHost "$host" -icsPort "$port" -loginScript "$here/icsdrone.login" \
    -program "$engine" -dontReuseEngine off -easyMode off \
    -engineQuiet on -feedback off -resign off -acceptDraw off \
    -hardLimit 20 "$@"
