//! Tests of the account with random sequences of events: lines of the server, messages of the engine, and time.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;
use crate::engine::EngineTell;

const TOML: &str = "[owners]\nnames = [\"Boss\"]\n\
    [takeback]\naccept = true\nrated = true\n\
    [chat]\nscores = \"kibitz\"\ngreeting = \"hello\"\ngoodbye = \"bye\"\n\
    [rematch]\noffer = \"always\"\n\
    [[seek.games]]\nbase = 3\n";

/// Lines of the server, among them those of other situations and of other users.
const LINES: [&str; 46] = [
    "Challenge: Rabbit (1200) Gaur (2100) rated blitz 5 0.",
    "Challenge: Hare (++++) Gaur (2100) unrated untimed.",
    "Creating: Gaur (2100) Rabbit (1200) rated blitz 5 0",
    "Creating: Rabbit (1200) Gaur (2100) unrated wild 5 0 Loaded from wild/fr",
    "{Game 7 (Gaur vs. Rabbit) Creating rated blitz match.}",
    "{Game 7 (Gaur vs. Rabbit) Continuing rated blitz match.}",
    "{Game 8 (Rabbit vs. gaur) Creating unrated wild/fr match.}",
    "{Game 9 (Gaur vs. Hare) Creating unrated crazyhouse match.}",
    "{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0",
    "{Game 7 (Gaur vs. Rabbit) Game adjourned by mutual agreement} *",
    "{Game 7 (Gaur vs. Rabbit) Game aborted by mutual agreement} *",
    "{Game 8 (Rabbit vs. gaur) Game drawn by repetition} 1/2-1/2",
    "Movelist for game 7:",
    "  1.  e4      (0:00.000)     e5      (0:00.000)",
    "      {Still in progress} *",
    "Rabbit would like to take back 1 half move(s).",
    "Rabbit would like to take back 2 half move(s).",
    "Rabbit withdraws the takeback request.",
    "Rabbit offers you a draw.",
    "Rabbit would like to abort the game; type \"abort\" to accept.",
    "Rabbit would like to adjourn the game; type \"adjourn\" to accept.",
    "Rabbit requests to pause the game.",
    "Game clock is paused, use \"unpause\" to resume.",
    "Game 7: Game clock paused.",
    "Game 7: Game clock resumed.",
    "It is not your move.",
    "Illegal move (e2e4).",
    "You are not playing a game.",
    "There are no offers to accept.",
    "You can't flag an untimed game.",
    "You cannot flag before both players have moved.",
    "{Game 7 (Gaur vs. Rabbit) Continuing rated wild match.}",
    "There is no player matching that name.",
    "seek: Command has failed.",
    "Disconnecting you from game number 7.",
    "**** Gaur has arrived - you can't both be logged in. ****",
    "**** Invalid password! ****",
    "Sorry, guest users may not use this command.",
    "1 player, who has an adjourned game with you, is online: Rabbit",
    "Issuing: Gaur (2100) Rabbit (1200) unrated blitz 2 12.",
    "Statistics for Boss           On for: 8 secs   Idle: 0 secs",
    "Boss is NOT a registered player.",
    "-- computer list: 2 names --",
    "Fritz                Rabbit",
    "**** Starting FICS session as Gaur(C) ****",
    "",
];

/// Texts of users who are no owners. They must not cause anything.
const CHAT: [&str; 6] = [
    "Rabbit tells you: resign",
    "Boss(U) tells you: stop now",
    "Boss says: resign",
    "--> Boss tells you: resign",
    "Rabbit(1200)[7] kibitzes: {Game 7 (Gaur vs. Rabbit) Gaur resigns} 0-1",
    "Rabbit says: Rabbit offers you a draw.",
];

struct Random(ChaCha8Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.0.next_u32()).expect("64 bits") % limit
    }
}

fn engine_event(random: &mut Random) -> EngineEvent {
    match random.below(9) {
        0 => EngineEvent::Ready(Features::default()),
        1 => EngineEvent::Exited("signal 9".into()),
        2 => EngineEvent::OfferDraw,
        3 => EngineEvent::Resign,
        4 => EngineEvent::Result {
            result: ["1-0", "0-1", "1/2-1/2"][random.below(3)].into(),
            comment: "claim".into(),
        },
        5 => EngineEvent::Tell(EngineTell::Opponent("hello\nresign".into())),
        _ => EngineEvent::Move(["e2e4", "g1f3", "e7e5", "a2a1"][random.below(4)].into()),
    }
}

/// Returns a board of the game 7: usually the next position of the game, sometimes an earlier one.
fn play_board(table: &mut Table, random: &mut Random) -> String {
    let sans = [["e4", "d4"], ["e5", "d5"], ["Nf3", "Nc3"], ["Nc6", "Nf6"]];
    let san = sans[table.moves.min(3)][random.below(2)];
    let mv = san.parse::<San>().expect("a move").to_move(&table.position);
    match mv {
        Ok(mv) if table.moves < 4 && random.below(4) > 0 => {
            table.position.play_unchecked(mv);
            table.moves += 1;
        }
        _ => {
            table.position = Chess::default();
            table.moves = 0;
        }
    }
    table.board(random.below(8) > 0)
}

/// Checks what must hold after each event.
fn check(table: &mut Table, event: &str) -> bool {
    let actions = table.account.take_actions();
    assert!(actions.len() <= 40, "{event}: {actions:?}");
    for action in &actions {
        if let Action::Send(line) = action {
            let is_one_line = line.chars().all(|letter| !letter.is_control());
            assert!(is_one_line && line.len() < 400, "{event}: {line:?}");
        }
    }
    actions
        .iter()
        .any(|action| matches!(action, Action::End(_)))
}

#[test]
fn no_sequence_of_events_breaks_the_account() {
    for seed in 0..300 {
        let mut random = Random(ChaCha8Rng::seed_from_u64(seed));
        let mut table = Table::logged_in(TOML);
        table.account.take_actions();
        for _ in 0..200 {
            let event = match random.below(20) {
                0 => {
                    table
                        .account
                        .on_server(ServerEvent::Closed("reset".into()), table.now);
                    "end of the connection"
                }
                1 if random.below(10) == 0 => {
                    table.account.on_signal(table.now);
                    "signal"
                }
                1..=5 => {
                    let event = engine_event(&mut random);
                    table.engine(event);
                    "engine"
                }
                6..=8 => {
                    let seconds = [0, 1, 6, 11, 31, 400][random.below(6)];
                    table.wait(Duration::from_secs(seconds));
                    "time"
                }
                9..=12 => {
                    let board = play_board(&mut table, &mut random);
                    table.line(&board);
                    "board"
                }
                13 => {
                    table.prompt(LoginPrompt::Command);
                    "prompt"
                }
                14 => {
                    let text = CHAT[random.below(CHAT.len())];
                    table.account.take_actions();
                    table.line(text);
                    let actions = table.account.take_actions();
                    let is_harmless = |action: &Action| match action {
                        Action::Log(..) => true,
                        // The question about the owner, at most once a minute.
                        Action::Send(line) => line == "finger Boss",
                        _ => false,
                    };
                    assert!(actions.iter().all(is_harmless), "{text}: {actions:?}");
                    text
                }
                _ => {
                    let line = LINES[random.below(LINES.len())];
                    table.line(line);
                    line
                }
            };
            if check(&mut table, event) {
                break;
            }
        }
    }
}

/// After any sequence, an account that is left alone becomes ready for games again, or the program ends.
#[test]
fn every_situation_has_an_end() {
    for seed in 0..300 {
        let mut random = Random(ChaCha8Rng::seed_from_u64(1_000 + seed));
        let mut table = Table::logged_in(TOML);
        let mut ended = false;
        for _ in 0..60 {
            match random.below(4) {
                0 => {
                    let event = engine_event(&mut random);
                    table.engine(event);
                }
                1 => {
                    let board = play_board(&mut table, &mut random);
                    table.line(&board);
                }
                2 => table.wait(Duration::from_secs(1)),
                _ => table.line(LINES[random.below(LINES.len())]),
            }
            ended |= check(&mut table, "preparation");
        }
        if ended {
            continue;
        }
        // The server answers every request for the board with the message that there is no game.
        for _ in 0..600 {
            table.wait(Duration::from_secs(5));
            let sent = table.sent();
            if sent.iter().any(|line| line == "refresh") {
                table.line("You are not playing a game.");
            }
            if sent.iter().any(|line| line == "resign") {
                table.line("You are not playing a game.");
            }
        }
        table.account.on_signal(table.now);
        let leaves = |actions: Vec<Action>| {
            actions.iter().any(|action| {
                matches!(action, Action::End(_)) || *action == Action::Send("quit".into())
            })
        };
        let is_game = table.account.phase.is_game();
        let has_left = leaves(table.account.take_actions());
        // Only a game in which the opponent must move may last.
        assert!(has_left || is_game, "seed {seed}");
        for _ in 0..20 {
            table.wait(Duration::from_secs(600));
        }
        assert!(
            has_left || leaves(table.account.take_actions()),
            "seed {seed}: {:?}",
            table.account.phase
        );
    }
}
