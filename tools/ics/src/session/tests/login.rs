//! Tests of the login and of the end of connections.

use std::time::Duration;

use super::*;
use crate::report::{Event, Level};
use crate::session::actions::Exit;

/// Returns the reason for the end of the program, if the account has asked for it.
fn exit(table: &mut Table) -> Option<Exit> {
    let is_end = |action| match action {
        Action::End(exit) => Some(exit),
        _ => None,
    };
    table.account.take_actions().into_iter().find_map(is_end)
}

const CONNECT: Action = Action::Connect { timeseal: true };

const ACCOUNT: &str = "[server]\naccount = \"Gaur\"\n";

#[test]
fn an_account_logs_in_with_its_password() {
    let mut table = Table::new(ACCOUNT);
    table.wait(Duration::ZERO);
    assert!(table.account.take_actions().contains(&CONNECT));
    table.prompt(LoginPrompt::Name);
    assert_eq!(table.sent(), ["Gaur"]);
    table.prompt(LoginPrompt::Password);
    assert_eq!(table.account.take_actions(), [Action::SendPassword]);
    table.line("**** Starting FICS session as Gaur(C) ****");
    let sent = table.sent();
    assert!(sent.contains(&"style 12".to_string()), "{sent:?}");
    assert_eq!(table.account.name, "Gaur");
}

#[test]
fn a_guest_presses_return() {
    let mut table = Table::new("[server]\nguest = true\n");
    table.wait(Duration::ZERO);
    table.account.take_actions();
    table.prompt(LoginPrompt::Name);
    assert_eq!(table.sent(), ["guest"]);
    table.prompt(LoginPrompt::PressReturn);
    assert_eq!(table.sent(), [""]);
    table.line("**** Starting FICS session as GuestABCD(U) ****");
    assert_eq!(table.account.name, "GuestABCD");
}

#[test]
fn a_server_without_an_announcement_is_entered_at_its_first_prompt() {
    let mut table = Table::new("[server]\nguest = true\n");
    table.wait(Duration::ZERO);
    table.prompt(LoginPrompt::Name);
    table.line("Press return to enter the FICS as \"guest\":");
    table.prompt(LoginPrompt::PressReturn);
    table.account.take_actions();
    table.prompt(LoginPrompt::Command);
    assert!(table.sent().contains(&"style 12".to_string()));
    assert_eq!(table.account.name, "guest");
    table.prompt(LoginPrompt::Command);
    assert_eq!(table.sent(), Vec::<String>::new());
}

#[test]
fn a_wrong_password_ends_the_program() {
    let mut table = Table::new(ACCOUNT);
    table.wait(Duration::ZERO);
    table.prompt(LoginPrompt::Name);
    table.prompt(LoginPrompt::Password);
    table.line("**** Invalid password! ****");
    let Some(Exit::Refused(text)) = exit(&mut table) else {
        panic!("the program continues");
    };
    assert!(text.contains("wrong password"), "{text}");
}

/// Answer of lasker and FICS 1.6 to the first command of timeseal.
const NO_NAME: &str = "Sorry, names can only consist of lower and upper case letters.  Try again.";

#[test]
fn a_server_without_timeseal_is_entered_without_it() {
    // The prompt, and with it the answer of the account, may come before the refusal.
    for has_sent_name in [false, true] {
        let mut table = Table::new(ACCOUNT);
        table.wait(Duration::ZERO);
        if has_sent_name {
            table.prompt(LoginPrompt::Name);
        }
        table.account.take_actions();
        table.line(NO_NAME);
        let actions = table.account.take_actions();
        let again = [Action::Disconnect, Action::Connect { timeseal: false }];
        assert!(actions.ends_with(&again), "{actions:?}");
        table.prompt(LoginPrompt::Name);
        assert_eq!(table.sent(), ["Gaur"]);
        table.prompt(LoginPrompt::Password);
        table.line("**** Starting FICS session as Gaur(C) ****");
        // The server is the same after an interruption.
        table
            .account
            .on_server(ServerEvent::Closed("reset".into()), table.now);
        table.wait(Duration::from_secs(5));
        let actions = table.account.take_actions();
        assert!(actions.contains(&Action::Connect { timeseal: false }));
    }
}

#[test]
fn a_server_that_asks_for_another_name_is_tried_without_timeseal_once() {
    let mut table = Table::new(ACCOUNT);
    table.wait(Duration::ZERO);
    table.prompt(LoginPrompt::Name);
    table.prompt(LoginPrompt::Name);
    let actions = table.account.take_actions();
    assert!(actions.contains(&Action::Connect { timeseal: false }));
    table.prompt(LoginPrompt::Name);
    table.line(NO_NAME);
    assert!(matches!(exit(&mut table), Some(Exit::Refused(text)) if text.contains(NO_NAME)));
}

#[test]
fn a_name_that_is_refused_after_the_password_is_not_tried_again() {
    let mut table = Table::new(ACCOUNT);
    table.wait(Duration::ZERO);
    table.prompt(LoginPrompt::Name);
    table.prompt(LoginPrompt::Password);
    table.prompt(LoginPrompt::Name);
    assert!(matches!(exit(&mut table), Some(Exit::Refused(text)) if text.contains("password")));
}

#[test]
fn an_unknown_account_is_explained() {
    let mut table = Table::new(ACCOUNT);
    table.wait(Duration::ZERO);
    table.prompt(LoginPrompt::Name);
    table.prompt(LoginPrompt::PressReturn);
    assert!(matches!(exit(&mut table), Some(Exit::Refused(text)) if text.contains("guest = true")));
}

#[test]
fn a_second_login_ends_the_program() {
    let mut table = Table::logged_in("");
    table.line("**** Gaur has arrived - you can't both be logged in. ****");
    assert_eq!(exit(&mut table), Some(Exit::LoggedInElsewhere));
}

#[test]
fn a_lost_connection_is_opened_again_with_growing_pauses() {
    let mut table = Table::logged_in("");
    for pause in [5, 10, 20] {
        table
            .account
            .on_server(ServerEvent::Closed("reset".into()), table.now);
        table.account.take_actions();
        table.wait(Duration::from_secs(pause - 1));
        assert_eq!(table.account.take_actions(), []);
        table.wait(Duration::from_secs(1));
        assert!(table.account.take_actions().contains(&CONNECT));
    }
}

/// Lets the server close the connection, and returns the pause before the next attempt in seconds.
fn pause_after_the_end(table: &mut Table) -> Option<u64> {
    table
        .account
        .on_server(ServerEvent::Closed("reset".into()), table.now);
    let pause = |action| match action {
        Action::Report(Event::Disconnected { retry_seconds, .. }) => retry_seconds,
        _ => None,
    };
    table.account.take_actions().into_iter().find_map(pause)
}

#[test]
fn a_server_that_closes_after_each_login_is_asked_less_and_less_often() {
    let mut table = Table::logged_in("");
    let log_in = |table: &mut Table, pause| {
        table.wait(Duration::from_secs(pause));
        table.line("**** Starting FICS session as Gaur(C) ****");
    };
    for pause in [5, 10, 20] {
        table.wait(Duration::from_secs(1));
        assert_eq!(pause_after_the_end(&mut table), Some(pause));
        log_in(&mut table, pause);
    }
    table.wait(Duration::from_secs(60));
    assert_eq!(pause_after_the_end(&mut table), Some(5));
    log_in(&mut table, 5);
    assert_eq!(pause_after_the_end(&mut table), Some(10));
    log_in(&mut table, 10);
    table.start_game("Gaur", "Rabbit", "Creating");
    assert_eq!(pause_after_the_end(&mut table), Some(5));
}

#[test]
fn a_server_that_does_not_answer_is_tried_again() {
    let mut table = Table::new(ACCOUNT);
    table.wait(Duration::ZERO);
    table.account.take_actions();
    table.wait(Duration::from_secs(61));
    assert!(table.account.take_actions().contains(&Action::Disconnect));
    table.wait(Duration::from_secs(5));
    assert!(table.account.take_actions().contains(&CONNECT));
}

#[test]
fn texts_of_the_login_mean_nothing_during_a_game() {
    for text in [
        "**** Invalid password! ****",
        "Sorry, guest users may not use this command.",
        "Sorry, names may only consist of lower and upper case letters.",
    ] {
        let mut table = Table::playing("");
        table.line(text);
        assert_eq!(table.account.take_actions(), [], "{text}");
    }
}

#[test]
fn a_signal_after_the_stop_of_an_owner_does_not_end_the_game() {
    let mut table = Table::playing("[owners]\nnames = [\"Boss\"]\n");
    table.line("Finger of Boss(SR):");
    table.line("Boss tells you: stop");
    table.account.on_signal(table.now);
    assert_eq!(exit(&mut table), None);
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    assert_eq!(table.sent(), ["quit"]);
}

#[test]
fn a_signal_logs_out_and_a_second_one_ends_at_once() {
    let mut table = Table::logged_in("");
    table.account.on_signal(table.now);
    assert_eq!(table.sent(), ["quit"]);
    table
        .account
        .on_server(ServerEvent::Closed("end".into()), table.now);
    assert_eq!(exit(&mut table), Some(Exit::Stopped));

    let mut table = Table::playing("");
    table.account.on_signal(table.now);
    assert_eq!(exit(&mut table), None);
    let state = table.account.view(table.now).state;
    assert_eq!(state, "ends after this game (Ctrl-C again: at once)");
    table.account.on_signal(table.now);
    let actions = table.account.take_actions();
    let is_named = |action: &Action| matches!(action, Action::Log(Level::Notice, text) if text.contains("adjourns"));
    assert!(actions.iter().any(is_named), "{actions:?}");
    assert!(actions.contains(&Action::End(Exit::Stopped)));
}

#[test]
fn results_are_named_after_each_game_and_at_the_end() {
    let mut table = Table::playing("");
    assert_eq!(table.account.view(table.now).state, "playing White");
    assert_eq!(table.account.summary(), None);
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    let text = "game 7 against Rabbit: won (Rabbit resigns)".to_string();
    let actions = table.account.take_actions();
    assert!(
        actions.contains(&Action::Log(Level::Notice, text)),
        "{actions:?}"
    );
    let is_own = |action: &Action| {
        matches!(action, Action::Report(Event::GameEnded { own_colour, own_result, .. })
            if (*own_colour, *own_result) == ("white", "won"))
    };
    assert!(actions.iter().any(is_own), "{actions:?}");
    assert_eq!(table.account.summary().as_deref(), Some("1 game: +1 -0 =0"));
    table.start_game("Rabbit", "Gaur", "Creating");
    assert_eq!(table.account.view(table.now).state, "playing Black");
    table.line("{Game 7 (Rabbit vs. Gaur) Game drawn by mutual agreement} 1/2-1/2");
    assert_eq!(
        table.account.summary().as_deref(),
        Some("2 games: +1 -0 =1")
    );
}

#[test]
fn refusals_are_logged_in_plain_words() {
    let mut table = Table::logged_in("");
    table.line("0: Command not found.");
    let text = "the server refuses: 0: Command not found.".to_string();
    assert_eq!(
        table.account.take_actions(),
        [Action::Log(Level::Info, text)]
    );
}

#[test]
fn a_refused_account_is_named_once() {
    let mut table = Table::new(ACCOUNT);
    table.wait(Duration::ZERO);
    table.prompt(LoginPrompt::Name);
    table.prompt(LoginPrompt::Password);
    table.account.take_actions();
    table.line("**** Invalid password! ****");
    let actions = table.account.take_actions();
    let is_log = |action: &Action| matches!(action, Action::Log(Level::Error, _));
    assert!(!actions.iter().any(is_log), "{actions:?}");
}

/// FICS 1.6 does not announce the session.
#[test]
fn adjourned_opponents_may_be_named_before_the_first_prompt() {
    let mut table = Table::new(ACCOUNT);
    table.wait(Duration::ZERO);
    table.prompt(LoginPrompt::Name);
    table.prompt(LoginPrompt::Password);
    table.line("1 player, who has an adjourned game with you, is online: Rabbit");
    table.prompt(LoginPrompt::Command);
    table.wait(Duration::from_secs(1));
    let sent = table.sent();
    assert!(sent.contains(&"match Rabbit".to_string()), "{sent:?}");
}

#[test]
fn the_account_waits_for_the_engine() {
    let mut table = Table::with_starting_engine(ACCOUNT);
    table.wait(Duration::from_secs(60));
    assert_eq!(table.account.take_actions(), [Action::StartEngine]);
    table.engine(EngineEvent::Ready(Features::default()));
    table.wait(Duration::ZERO);
    assert!(table.account.take_actions().contains(&CONNECT));
    // Later it may end.
    table.engine(EngineEvent::Exited("status 1".into()));
    assert_eq!(exit(&mut table), None);
}

#[test]
fn an_engine_that_ends_at_once_ends_the_program_before_the_login() {
    let mut table = Table::with_starting_engine(ACCOUNT);
    table.engine(EngineEvent::Exited("exit status: 0".into()));
    assert!(
        matches!(exit(&mut table), Some(Exit::Engine(text)) if text.contains("exit status: 0"))
    );
}

#[test]
fn a_name_of_a_wrong_form_is_a_matter_of_the_configuration() {
    let mut table = Table::new("[server]\naccount = \"G-1\"\ntimeseal = false\n");
    table.wait(Duration::ZERO);
    table.prompt(LoginPrompt::Name);
    table.line(NO_NAME);
    let Some(Exit::Refused(text)) = exit(&mut table) else {
        panic!("the program continues");
    };
    assert!(text.contains("check [server] account"), "{text}");
}
