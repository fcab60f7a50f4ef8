# Drives Scid: lets the engine analyse in both kinds of engine window and adds its best moves to the game.
#
# usage: tkscid drive.tcl SCID ENGINE FOLDER
#
# Writes the moves of each game to FOLDER/game-N.txt, in coordinates. Exits with status 0 if every step succeeded.

# Variables of this script. Scid uses global ones of its own.
namespace eval drive {
    variable scid
    variable engine
    variable folder
    # Seconds for each step.
    variable timeout 40
    # Changes whenever a condition is looked at.
    variable tick 0
}
lassign $argv ::drive::scid ::drive::engine ::drive::folder

proc fail {message} {
    puts stderr $message
    exit 1
}

# Replaces the message boxes, which wait for a click.
proc tk_messageBox {args} {
    fail "Scid shows a message: $args"
}

# Waits, with events, until a condition is true.
proc until {what condition} {
    set deadline [expr {[clock seconds] + $::drive::timeout}]
    while {![uplevel 1 [list expr $condition]]} {
        if {[clock seconds] >= $deadline} {
            fail "no $what within $::drive::timeout s"
        }
        after 50 {set ::drive::tick 1}
        vwait ::drive::tick
    }
}

# Returns 1 if these moves, at least one, can be played in the current position.
proc legal {moves} {
    if {[string trim $moves] eq ""} {
        return 0
    }
    sc_game push copyfast
    set failed [catch {sc_move addSan $moves}]
    sc_game pop
    return [expr {!$failed}]
}

# Returns the number of moves of the game.
proc length {} {
    return [llength [sc_game moves coord list]]
}

# Presses a button that adds the best move to the game, once a legal line is shown, until the game has this many moves.
proc add_moves {count line button} {
    while {[length] < $count} {
        set before [length]
        until "analysis after $before moves" {[legal [{*}$line]]}
        $button invoke
        until "move [expr {$before + 1}]" {[length] > $before}
    }
}

# Saves the moves of the game and begins another.
proc finish_game {number} {
    set file [open [file join $::drive::folder "game-$number.txt"] w]
    puts $file [sc_game moves coord list]
    close $file
    sc_game new
    ::notify::GameChanged
}

# Returns the first line of an engine window.
proc shown_line {id} {
    if {[catch {::enginewin::getMoves .engineWin$id.display.pv.lines 1.end} moves]} {
        return ""
    }
    return $moves
}

# The window "Engine". As its button for a new engine does, it tries UCI first, and the xboard protocol two seconds later.
proc engine_window {} {
    set id [::enginewin::Open]
    ::enginewin::connectEngine $id [::enginecfg::add [list Gaur $::drive::engine {} {} {} 0 {} {} {}]]
    until "xboard engine" {$::engconn(protocol_$id) eq "xboard" && $::engconn(waitReply_$id) eq ""}
    set w .engineWin$id
    $w.btn.startStop invoke
    add_moves 5 [list shown_line $id] $w.btn.addbestmove
    $w.btn.multipv set 2
    uplevel #0 [$w.btn.multipv cget -command]
    add_moves 10 [list shown_line $id] $w.btn.addbestmove
    ::win::closeWindow $w
}

# The window "Start Engine 1" for the first engine of the list.
proc analysis_window {} {
    set ::engines(list) [list [list Gaur $::drive::engine {} . {} 0 {} 0 {}]]
    makeAnalysisWin 1 0
    until "analysis mode" {$::analysis(analyzeMode1)}
    add_moves 10 {set ::analysis(moves1)} .analysisWin1.b1.move
    destroy .analysisWin1
}

set argv {-fast}
set argc 1
source -encoding utf-8 $::drive::scid

# Replaces the window of Scid for errors in events.
proc bgerror {message} {
    fail "$message\n$::errorInfo"
}

update
engine_window
finish_game 1
analysis_window
finish_game 2
exit 0
