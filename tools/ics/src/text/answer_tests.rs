//! Offers during a game and refusals, in the wordings of several servers.

use super::*;

#[track_caller]
fn check(line: &str, expected: ServerLine) {
    assert_eq!(parse(line), expected, "{line}");
}

#[test]
fn offers_of_the_opponent() {
    let offers = [
        ("GuestDWXY offers you a draw.", Request::Draw),
        (
            "GuestDWXY would like to abort the game; type \"abort\" to accept.",
            Request::Abort,
        ),
        (
            "GuestDWXY would like to adjourn the game; type \"adjourn\" to accept.",
            Request::Adjourn,
        ),
        (
            "GuestDWXY would like to take back 1 half move(s).",
            Request::Takeback(1),
        ),
        (
            "GuestDWXY would like to take back 2 half move(s).",
            Request::Takeback(2),
        ),
        (
            "GuestDWXY proposes a different number (3) of half-move(s).",
            Request::Takeback(3),
        ),
        ("GuestDWXY requests to pause the game.", Request::Pause),
        ("GuestDWXY requests to unpause the game.", Request::Unpause),
        ("GuestDWXY would like to switch sides.", Request::Switch),
    ];
    for (line, request) in offers {
        let from = "GuestDWXY".to_string();
        check(line, ServerLine::Request { from, request });
    }
    let line = "GuestDWXY would like to take back 99999999999 half move(s).";
    check(line, ServerLine::Unknown(line.into()));
}

#[test]
fn answers_of_the_opponent() {
    let words = [
        ("draw", Request::Draw),
        ("abort", Request::Abort),
        ("adjourn", Request::Adjourn),
        ("takeback", Request::Takeback(0)),
        ("pause", Request::Pause),
        ("unpause", Request::Unpause),
        ("switch sides", Request::Switch),
    ];
    for (word, request) in words {
        let from = || "Rabbit".to_string();
        // FICS writes the article; lasker leaves it out for some offers.
        for the in ["the ", ""] {
            let line = |verb: &str| format!("Rabbit {verb} {the}{word} request.");
            let notice = |notice| ServerLine::RequestNotice(notice);
            let declined = || RequestNotice::Declined {
                from: from(),
                request,
            };
            check(&line("declines"), notice(declined()));
            check(&line("has declined"), notice(declined()));
            check(
                &line("withdraws"),
                notice(RequestNotice::Withdrawn {
                    from: from(),
                    request,
                }),
            );
            check(
                &line("accepts"),
                notice(RequestNotice::Accepted {
                    from: from(),
                    request,
                }),
            );
        }
        let line = format!("You decline the {word} request from Rabbit.");
        check(
            &line,
            ServerLine::RequestNotice(RequestNotice::Removed(request)),
        );
    }
    check(
        "Draw request sent.",
        ServerLine::RequestNotice(RequestNotice::Sent(Request::Draw)),
    );
    check(
        "Pause request sent.",
        ServerLine::RequestNotice(RequestNotice::Sent(Request::Pause)),
    );
    for line in ["Takeback request sent.", "Alternate takeback request sent."] {
        check(
            line,
            ServerLine::RequestNotice(RequestNotice::Sent(Request::Takeback(0))),
        );
    }
}

#[test]
fn refused_moves() {
    let refusals = [
        ("Illegal move (e2e5).", Refusal::IllegalMove("e2e5".into())),
        ("Illegal move.", Refusal::IllegalMove(String::new())),
        ("Ambiguous move (Nd2).", Refusal::IllegalMove("Nd2".into())),
        ("Ambiguous move.", Refusal::IllegalMove(String::new())),
        (
            "Don't understand that move.",
            Refusal::IllegalMove(String::new()),
        ),
        ("It is not your move.", Refusal::NotYourMove),
        ("It is not your move (e2e4).", Refusal::NotYourMove),
        (
            "It isn't your turn: wait until the simul giver is at your board.",
            Refusal::NotYourMove,
        ),
        ("You are not playing a game.", Refusal::NotPlaying),
        (
            "You are not playing or examining a game.",
            Refusal::NotPlaying,
        ),
        (
            "Game clock is paused, use \"unpause\" to resume.",
            Refusal::Paused,
        ),
        (
            "The clock is paused, use \"unpause\" to resume.",
            Refusal::Paused,
        ),
        ("Your opponent is not out of time!", Refusal::NotOutOfTime),
        ("Your opponent is not out of time.", Refusal::NotOutOfTime),
        (
            "Opponent is not out of time, wait for server autoflag.",
            Refusal::NotOutOfTime,
        ),
    ];
    for (line, refusal) in refusals {
        check(line, ServerLine::Refused(refusal));
    }
}

#[test]
fn refused_matches() {
    let name = || "Rabbit".to_string();
    let refusals = [
        (
            "No user named \"Rabbit\" is logged in.",
            Refusal::NotLoggedIn(name()),
        ),
        ("Rabbit is not logged in.", Refusal::NotLoggedIn(name())),
        (
            "Your last opponent, \"Rabbit\", is not logged in.",
            Refusal::NotLoggedIn(name()),
        ),
        (
            "\"Rabbit\" is not a valid handle.",
            Refusal::NotLoggedIn(name()),
        ),
        (
            "There is no player matching the name Rabbit.",
            Refusal::NotLoggedIn(name()),
        ),
        (
            "Player \"Rabbit\" is involved in another game.",
            Refusal::AlreadyPlaying(name()),
        ),
        ("Rabbit is playing a game.", Refusal::AlreadyPlaying(name())),
        (
            "Rabbit is examining a game.",
            Refusal::AlreadyPlaying(name()),
        ),
        (
            "Player \"Rabbit\" is not open to match requests.",
            Refusal::NotOpen(name()),
        ),
        (
            "Rabbit is not open to match requests.",
            Refusal::NotOpen(name()),
        ),
    ];
    for (line, refusal) in refusals {
        check(line, ServerLine::Refused(refusal));
    }
    for line in [
        "You are on Rabbit's noplay list.",
        "Player \"Rabbit\" is censoring you.",
        "Rabbit is censoring you.",
        "Rabbit only wants to play unrated games.",
        "Match request does not fit formula for Rabbit:",
        "Rabbit is in a tournament, and cannot accept other challenges.",
    ] {
        check(line, ServerLine::Refused(Refusal::NotWanted(line.into())));
    }
}

#[test]
fn refused_commands() {
    for line in [
        "You have no offers to accept.",
        "There are no offers to accept.",
        "There are no offers to answer.",
        "There are no draw offers to accept.",
        "You have no pending offers from other players.",
        "There are no pending draw offers.",
    ] {
        check(line, ServerLine::Refused(Refusal::NothingPending));
    }
    for line in [
        "You cannot flag before both players have moved.",
        "You can't flag an untimed game.",
        "You can only have 3 active seeks.",
        "You cannot challenge while you are examining a game.",
        "You cannot switch sides once a game is underway.",
        "Your opponent has requested no takebacks.",
        "You can't challenge while you are playing a game.",
        "Both players must be registered to adjourn a game.  Use \"abort\".",
        "There are only 1 half moves in your game.",
        "There are no moves in your game.",
        "Game is already paused, use \"unpause\" to resume.",
        "Only registered players can use the seek command.",
        "ERROR: Unregistred users cannot play rated games.",
    ] {
        check(line, ServerLine::Refused(Refusal::NotAllowed(line.into())));
    }
    check(
        "autoflag: Command not found.",
        ServerLine::Refused(Refusal::UnknownCommand("autoflag".into())),
    );
    for line in [
        "xyz: Command has failed.",
        "shutdown: Insufficient rights.",
        "Can't interpret fr in match command.",
        "Ambiguous command. Matches: match moves",
        "Usage: match word [string]",
    ] {
        check(line, ServerLine::Refused(Refusal::BadCommand(line.into())));
    }
}

#[test]
fn the_answer_to_finger_names_guests() {
    let of = |name: &str| ServerLine::Finger(Finger::Of(name.into()));
    assert_eq!(parse("Finger of Rabbit(C)(TD):"), of("Rabbit"));
    let guest = ServerLine::Finger(Finger::NotRegistered("Rabbit".into()));
    assert_eq!(parse("Finger of Rabbit(U):"), guest);
    assert_eq!(
        parse("Statistics for Rabbit           On for: 8 secs   Idle: 0 secs"),
        of("Rabbit")
    );
    assert_eq!(
        parse("Rabbit is NOT a registered player."),
        ServerLine::Finger(Finger::NotRegistered("Rabbit".into()))
    );
    let text = "Statistics for Rabbit's friends";
    assert_eq!(parse(text), ServerLine::Unknown(text.into()));
}
