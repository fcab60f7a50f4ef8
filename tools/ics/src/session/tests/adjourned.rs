//! Tests of challenges to opponents with an adjourned game.

use std::time::Duration;

use super::*;

#[test]
fn adjourned_opponents_are_challenged_one_after_the_other() {
    let mut table = Table::logged_in("[challenges]\nnoplay = [\"Crow\"]\n");
    table.line("1 player, who has an adjourned game with you, is online: Rabbit");
    assert_eq!(table.sent(), ["match Rabbit"]);
    table.line("3 players, who have an adjourned game with you, are online:");
    table.line("Hare             Crow             Fox");
    assert_eq!(table.sent(), Vec::<String>::new());
    table.line("Rabbit declines your match offer.");
    table.wait(Duration::from_millis(100));
    assert_eq!(table.sent(), ["match Hare"]);
    table.wait(Duration::from_secs(60));
    assert_eq!(table.sent(), ["match Fox"]);
    table.start_game("Gaur", "Fox", "Continuing");
    table.line("Notification: Rabbit, who has an adjourned game with you, has arrived.");
    table.account.take_actions();
    table.line("{Game 7 (Gaur vs. Fox) Fox resigns} 1-0");
    table.account.take_actions();
    table.wait(Duration::from_millis(100));
    assert_eq!(table.sent(), ["match Rabbit"]);
}

#[test]
fn all_opponents_of_a_list_on_one_line_are_challenged() {
    let mut table = Table::logged_in("");
    table.line("2 players, who have an adjourned game with you, are online: Rabbit Fox");
    assert_eq!(table.sent(), ["match Rabbit"]);
    table.line("Rabbit declines your match offer.");
    table.wait(Duration::from_millis(100));
    assert_eq!(table.sent(), ["match Fox"]);
}

#[test]
fn adjourned_opponents_are_not_challenged_while_no_games_are_accepted() {
    let mut table =
        Table::logged_in("[challenges]\naccept = false\n[owners]\nnames = [\"Boss\"]\n");
    table.line("1 player, who has an adjourned game with you, is online: Rabbit");
    table.wait(Duration::from_secs(1));
    assert_eq!(table.sent(), Vec::<String>::new());
    table.line("Finger of Boss:");
    table.line("Boss tells you: accept on");
    table.account.take_actions();
    table.wait(Duration::from_millis(100));
    assert_eq!(table.sent(), ["match Rabbit"]);
}

#[test]
fn a_challenge_that_would_begin_a_new_game_is_withdrawn() {
    let mut table = Table::logged_in("");
    table.line("Notification: Rabbit, who has an adjourned game with you, has arrived.");
    assert_eq!(table.sent(), ["match Rabbit"]);
    table.line("Issuing: Gaur (2100) Rabbit (1200) unrated blitz 2 12.");
    assert_eq!(table.sent(), ["withdraw Rabbit"]);
    table.line("Notification: Hare, who has an adjourned game with you, has arrived.");
    table.line("Issuing: Gaur (2100) Hare (1200) rated blitz 5 0 (adjourned).");
    assert_eq!(table.sent(), ["match Hare"]);
}
