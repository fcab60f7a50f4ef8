#!/bin/sh
# Gaur on a chess server through icsdrone. See docs/ics.md.
# The file icsdrone.login beside this one holds the account's name and its password, one line each, and then
# commands for the server.

here=$(dirname "$0")
host=${1:-freechess.org}
port=${2:-5000}
gaur=${GAUR:-gaur}

exec icsdrone -icsHost "$host" -icsPort "$port" -loginScript "$here/icsdrone.login" \
    -program "$gaur" -dontReuseEngine off -easyMode off \
    -engineQuiet on -feedback off -resign off -acceptDraw off \
    -hardLimit 20
