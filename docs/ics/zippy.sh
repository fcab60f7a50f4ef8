#!/bin/sh
# Gaur on a chess server through XBoard's Zippy mode. See docs/ics-bridges.md.
# The login comes from ~/.icsrc: the account's name and its password, one line each.

# Usage: zippy.sh [HOST [PORT [ARGUMENTS OF XBOARD]]]
host=${1:-freechess.org}
port=${2:-5000}
[ $# -lt 2 ] || shift
[ $# -lt 1 ] || shift
engine=${GAUR_COMMAND:-gaur}

exec xboard -zp -xexit -ics -icshost "$host" -icsport "$port" \
    -fcp "$engine" -firstOptions "MoveOverhead=100,Greet=1,Resign=900,PlayOutBelow=1400" \
    -zippyVariants "normal,fischerandom" -zippyGameEnd "" -soundProgram "" \
    -zippyMaxGames 20 -zippyReplayTimeout 120 \
    -autoCallFlag true -ponderNextMove true -popupMoveErrors false "$@"
