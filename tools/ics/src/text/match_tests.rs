//! Offers of games and seeks, in the wordings of several servers.

use super::*;

fn terms(rated: bool, kind: &str, base: Option<u32>, increment: u32) -> GameTerms {
    GameTerms {
        rated,
        kind: kind.into(),
        base,
        increment,
        private: false,
    }
}

fn player(name: &str, rating: Rating) -> Player {
    Player {
        name: name.into(),
        rating,
    }
}

#[track_caller]
fn check(line: &str, expected: ServerLine) {
    assert_eq!(parse(line), expected, "{line}");
}

#[test]
fn terms_of_a_game_that_begins() {
    check(
        "Creating: Rabbit (1200) GuestXYZ (++++) unrated blitz 5 0",
        ServerLine::Creating(Creating {
            white: player("Rabbit", Rating::Known(1200)),
            black: player("GuestXYZ", Rating::Guest),
            terms: terms(false, "blitz", Some(5), 0),
            adjourned: false,
        }),
    );
    // Lasker writes a rating of 0 for a player without one.
    check(
        "Creating: Rabbit (1200) Fox (0) rated standard 30 10",
        ServerLine::Creating(Creating {
            white: player("Rabbit", Rating::Known(1200)),
            black: player("Fox", Rating::Unrated),
            terms: terms(true, "standard", Some(30), 10),
            adjourned: false,
        }),
    );
}

fn challenge(line: &str) -> Challenge {
    match parse(line) {
        ServerLine::Challenge(challenge) => challenge,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn challenges() {
    let found = challenge("Challenge: Rabbit (1200) [white] GaurBot (2000) unrated blitz 5 0.");
    assert_eq!(found.from, player("Rabbit", Rating::Known(1200)));
    assert_eq!(found.to, player("GaurBot", Rating::Known(2000)));
    assert_eq!(found.from_is_white, Some(true));
    assert_eq!(found.terms, terms(false, "blitz", Some(5), 0));
    assert!(!found.adjourned);

    let found = challenge("Challenge: GuestABC (----) [black] GaurBot ( 894) rated standard 15 5.");
    assert_eq!(
        (found.from.rating, found.to.rating),
        (Rating::Unrated, Rating::Known(894))
    );
    assert_eq!(found.from_is_white, Some(false));

    let found =
        challenge("Challenge: Rabbit (1200E) GaurBot (2000P) rated lightning 1 0 (adjourned).");
    assert_eq!(
        (found.from.rating, found.to.rating),
        (Rating::Known(1200), Rating::Known(2000))
    );
    assert!(found.adjourned && found.from_is_white.is_none());
    assert_eq!(found.terms, terms(true, "lightning", Some(1), 0));
}

#[test]
fn kinds_of_challenges() {
    let kinds = [
        ("unrated wild/fr 5 0", terms(false, "wild/fr", Some(5), 0)),
        (
            "rated crazyhouse 3 0",
            terms(true, "crazyhouse", Some(3), 0),
        ),
        ("unrated untimed", terms(false, "untimed", None, 0)),
        (
            "unrated wild 5 2 Loaded from wild/fr",
            terms(false, "wild/fr", Some(5), 2),
        ),
        (
            "unrated blitz 5 0 : 3 2",
            terms(false, "blitz (odds)", Some(5), 0),
        ),
        (
            "rated non-standard 9 9",
            terms(true, "non-standard", Some(9), 9),
        ),
    ];
    for (text, expected) in kinds {
        let found = challenge(&format!("Challenge: Rabbit (1200) GaurBot (2000) {text}."));
        assert_eq!(found.terms, expected, "{text}");
    }
    let found = challenge("Challenge: Rabbit (1200) GaurBot (2000) (adjourned).");
    assert!(found.adjourned && found.terms.kind.is_empty());
    for broken in [
        "Challenge: Rabbit GaurBot unrated blitz 5 0.",
        "Challenge: Rabbit (1200) GaurBot (2000) unrated blitz 99999999999 0.",
        "Challenge: Rabbit (1200) GaurBot (2000).",
        "Challenge: Rabbit (1200) GaurBot (2000) unrated blitz 5 0. accept",
    ] {
        check(broken, ServerLine::Unknown(broken.into()));
    }
}

#[test]
fn notices_on_challenges() {
    use ChallengeNotice::*;
    let name = || "Rabbit".to_string();
    let notices = [
        ("Rabbit withdraws the match offer.", Withdrawn(name())),
        ("Rabbit declines the match offer.", Declined(name())),
        (
            "Rabbit declines your match offer a match with these parameters:",
            Declined(name()),
        ),
        ("Rabbit accepts your match offer.", Accepted(name())),
        ("Rabbit accepts your seek.", Accepted(name())),
        (
            "1 player, who has an adjourned game with you, is online:",
            AdjournedPartners(1),
        ),
        (
            "12 players, who have an adjourned game with you, are online:",
            AdjournedPartners(12),
        ),
        (
            "Your seek matches one already posted by Rabbit.",
            Accepted(name()),
        ),
        (
            "Your seek qualifies for Rabbit's getgame.",
            Accepted(name()),
        ),
        (
            "Your challenge intercepts Rabbit's challenge.",
            Accepted(name()),
        ),
        (
            "Rabbit, who was challenging you, has joined a game with Fox.",
            Gone(name()),
        ),
        (
            "Rabbit, whom you were challenging, has started examining a game.",
            Gone(name()),
        ),
        ("Rabbit accepts your challenge.", Accepted(name())),
        ("Rabbit accepts the match offer.", Accepted(name())),
        ("Rabbit updates the match request.", Updated(name())),
        (
            "Rabbit, who was challenging you, has joined a match with Fox.",
            Gone(name()),
        ),
        (
            "Rabbit, whom you were challenging, has joined a match with Fox.",
            Gone(name()),
        ),
        (
            "Rabbit, who was challenging you, has departed.",
            Gone(name()),
        ),
        (
            "Rabbit, whom you were challenging, has departed.",
            Gone(name()),
        ),
        ("Challenge from Rabbit removed.", Gone(name())),
        ("Challenge to Rabbit withdrawn.", Gone(name())),
        (
            "Issuing: Gaur (2000) Rabbit (++++) unrated blitz 5 0.",
            Issued {
                to: name(),
                adjourned: false,
            },
        ),
        (
            "Issuing: Gaur (2000) [white] Rabbit (++++) rated blitz 5 0 (adjourned).",
            Issued {
                to: name(),
                adjourned: true,
            },
        ),
        (
            "Notification: Rabbit, who has an adjourned game with you, has arrived.",
            PresentPartners(vec![name()]),
        ),
        (
            "1 player, who has an adjourned game with you, is online: Rabbit",
            PresentPartners(vec![name()]),
        ),
        (
            "2 players, who have an adjourned game with you, are online: Rabbit Fox",
            PresentPartners(vec![name(), "Fox".to_string()]),
        ),
    ];
    for (line, notice) in notices {
        check(line, ServerLine::ChallengeNotice(notice));
    }
}

#[test]
fn arrivals_and_departures() {
    let name = || "Rabbit".to_string();
    check(
        "Notification: Rabbit has arrived.",
        ServerLine::Arrived(name()),
    );
    check(
        "Notification: Rabbit has departed and isn't on your notify list.",
        ServerLine::Departed(name()),
    );
}

#[test]
fn seeks() {
    check(
        "Rabbit (1500) seeking 2 12 rated blitz [white] m f (\"play 17\" to respond)",
        ServerLine::Seek(Seek::Offered {
            number: 17,
            from: player("Rabbit", Rating::Known(1500)),
            from_is_white: Some(true),
            terms: terms(true, "blitz", Some(2), 12),
        }),
    );
    check(
        "GuestX(C)(TD) (++++) seeking 5 0 unrated wild/fr (\"play 8\" to respond)",
        ServerLine::Seek(Seek::Offered {
            number: 8,
            from: player("GuestX", Rating::Guest),
            from_is_white: None,
            terms: terms(false, "wild/fr", Some(5), 0),
        }),
    );
    check(
        "Updating seek ad 45; rating range now 0-9999.",
        ServerLine::Seek(Seek::Posted(45)),
    );
    check(
        "Your seek has been posted with index 45.",
        ServerLine::Seek(Seek::Posted(45)),
    );
    check(
        "Your seek has been posted.",
        ServerLine::Seek(Seek::Posted(0)),
    );
    check(
        "Your seeks have been removed.",
        ServerLine::Seek(Seek::Removed),
    );
    check("Ads removed: 2", ServerLine::Seek(Seek::Removed));
}

#[test]
fn names_on_a_line() {
    assert_eq!(
        names("Rabbit  Fox GuestABCD"),
        ["Rabbit", "Fox", "GuestABCD"]
    );
    for line in ["", "Rabbit: hello", "Rabbit offers you a draw.", "<12>"] {
        assert!(names(line).is_empty(), "{line}");
    }
}
