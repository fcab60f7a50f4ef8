//! More than a thousand games in one process, without leaks of memory, threads or files; and exactly one move for each
//! request for an immediate move.

use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use crate::engine::{Engine, program};

/// Numbers of games after which the engine is measured. After the first hundred, all one-time allocations have
/// happened.
const MEASURED: [u32; 5] = [1, 100, 1000, 1900, 2800];

/// Growth in kilobytes between two measurements that counts as none, because the allocator keeps some memory. A leak of
/// a little more than a kilobyte per game exceeds it.
const MEMORY_TOLERANCE: u64 = 1000;

/// Maximum growth in kilobytes since the first hundred games; a single step is not a leak.
const MAX_MEMORY_GROWTH: u64 = 3000;

/// Half-moves after which a game is adjudicated.
const MAX_GAME_LENGTH: usize = 40;

/// A game with the engine, as a GUI follows it.
struct Table {
    engine: Engine,
    position: Chess,
    random: ChaCha8Rng,
}

impl Table {
    fn below(&mut self, count: usize) -> usize {
        self.random.next_u32() as usize % count
    }

    fn is_over(&self) -> bool {
        self.position.legal_moves().is_empty()
    }

    /// Plays a random move of the opponent and returns it.
    fn move_at_random(&mut self) -> String {
        let moves = self.position.legal_moves();
        let chosen = moves[self.below(moves.len())];
        self.position.play_unchecked(chosen);
        chosen.to_uci(CastlingMode::Standard).to_string()
    }

    /// Reads the engine's move. Returns `false` if the engine claims the end of the game instead.
    fn receive_move(&mut self) -> bool {
        loop {
            let line = self.engine.line();
            if let Some(text) = line.strip_prefix("move ") {
                let read: UciMove = text.parse().expect("a move in coordinates");
                let played = read.to_move(&self.position).expect("a legal move");
                self.position.play_unchecked(played);
                return true;
            }
            if line.starts_with("1/2-1/2 {") {
                return false;
            }
            let thinking = line
                .split_whitespace()
                .next()
                .is_some_and(|word| word.parse::<u32>().is_ok());
            // The engine offers a draw with a move after which it claims one.
            let accompanies_move = line.starts_with("Hint: ") || line == "offer draw";
            assert!(thinking || accompanies_move, "`{line}`");
        }
    }

    /// Plays a game to its end or to [`MAX_GAME_LENGTH`] and returns its number of half-moves. The engine begins in
    /// every second game.
    fn play(&mut self, number: u32) -> usize {
        self.position = Chess::default();
        self.engine
            .send(format!("new\nsd {}\nlevel 0 1 0\n", 1 + number % 3));
        if number.is_multiple_of(3) {
            self.engine.send(format!(
                "ics example.org\nname Guest{number}\nrating 1800 {}\ncomputer\n",
                1000 + number
            ));
        }
        self.engine.send(if number.is_multiple_of(2) {
            "hard\npost\n"
        } else {
            "easy\nnopost\n"
        });
        match number % 10 {
            1 => self
                .engine
                .send(format!("option MoveOverhead={}\n", number % 100)),
            2 => self
                .engine
                .send(format!("option Variety={}\n", number % 30)),
            3 => self.engine.send("option ClearHash\n"),
            4 => self
                .engine
                .send(format!("memory {}\n", 12 + number / 10 % 3 * 8)),
            _ => {}
        }
        if number % 4 < 2 {
            self.engine.send("go\n");
            assert!(self.receive_move());
        }
        let mut plies = 0;
        while plies < MAX_GAME_LENGTH && !self.is_over() {
            let mv = self.move_at_random();
            self.engine
                .send(format!("time 6000\notim 6000\nusermove {mv}\n"));
            plies += 1;
            if self.is_over() || !self.receive_move() {
                break;
            }
            plies += 1;
        }
        self.engine.send("result 1/2-1/2 {adjudicated} \nforce\n");
        self.wait_until_idle(number);
        plies
    }

    /// Waits until the engine is idle. Claims and results may come before.
    fn wait_until_idle(&mut self, number: u32) {
        self.engine.ping(number);
    }
}

fn table() -> Table {
    let mut engine = Engine::start(program());
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine.send("memory 12\n");
    Table {
        engine,
        position: Chess::default(),
        random: ChaCha8Rng::seed_from_u64(2026),
    }
}

/// Returns memory, threads and files of the engine after the same search with a new table of the same size. The search
/// fills the table: the number of huge pages (2 MB each) in a sparsely used table depends on chance.
fn measure(table: &mut Table, number: u32) -> (u64, usize, usize) {
    table.position = Chess::default();
    table
        .engine
        .send("memory 12\nnew\neasy\nnopost\nsd 13\ngo\n");
    assert!(table.receive_move());
    table.wait_until_idle(number);
    let engine = &table.engine;
    (engine.resident(), engine.threads(), engine.open_files())
}

#[test]
fn a_thousand_games_leak_nothing() {
    let started = Instant::now();
    let mut table = table();
    let mut plies = 0;
    let mut seen = Vec::new();
    let mut games = 0;
    let mut is_level = false;
    for until in MEASURED {
        while games < until {
            games += 1;
            plies += table.play(games);
        }
        let now = measure(&mut table, games);
        println!(
            "after {games} games, {plies} half-moves, {:?}: {} kB resident, {} threads, {} files",
            started.elapsed(),
            now.0,
            now.1,
            now.2
        );
        seen.push(now);
        if seen.len() > 2 {
            let (baseline, before) = (seen[1], seen[seen.len() - 2]);
            assert_eq!((now.1, now.2), (before.1, before.2));
            assert!(now.0 <= baseline.0 + MAX_MEMORY_GROWTH, "{seen:?}");
            // Once, while the engine ponders, the allocator takes another megabyte. A leak shows in every stage.
            is_level = now.0 <= before.0 + MEMORY_TOLERANCE;
            if is_level {
                break;
            }
        }
    }
    assert!(is_level, "more memory after each stage: {seen:?}");
    assert!(
        plies > 20 * games as usize,
        "the games were short: {plies} half-moves"
    );
    table.engine.exits_cleanly();
}

#[test]
fn five_hundred_immediate_moves() {
    let mut table = table();
    let mut moves = 0;
    let mut games = 0;
    while moves < 500 {
        games += 1;
        table.position = Chess::default();
        table.engine.send("new\neasy\nst 600\n");
        while moves < 500 && !table.is_over() {
            let mv = table.move_at_random();
            if table.is_over() {
                break;
            }
            // Orders of all kinds in one write: the engine must send one move, and a pong after it. `force` comes
            // before the move, since an immediate answer may cross any later line.
            let orders = match moves % 4 {
                0 => format!("usermove {mv}\n?\n"),
                1 => format!("force\nusermove {mv}\ngo\n?\n"),
                2 => format!("force\nusermove {mv}\nhard\ngo\n?\n?\neasy\n?\n"),
                _ => format!("force\nusermove {mv}\nundo\nusermove {mv}\ngo\npost\nnopost\n?\n"),
            };
            let orders = format!("{orders}ping {moves}\n");
            table.engine.send(orders);
            let goes_on = table.receive_move();
            moves += 1;
            if !goes_on {
                // A second ping would leave a pong for the next game.
                table.engine.line_with(&format!("pong {}", moves - 1));
                break;
            }
            // The move may have ended the game, which the engine then claims.
            let mut is_ended = false;
            let next = loop {
                let line = table.engine.line();
                if !["1-0", "0-1", "1/2"]
                    .iter()
                    .any(|result| line.starts_with(result))
                {
                    break line;
                }
                is_ended = true;
            };
            assert_eq!(next, format!("pong {}", moves - 1), "after a move its pong");
            if is_ended {
                break;
            }
        }
        table.engine.send("result * {next}\n");
    }
    println!("{moves} moves in {games} games");
    table.engine.exits_cleanly();
}

#[test]
fn two_hundred_conflicting_orders() {
    const POSITION: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut table = table();
    table.engine.send("new\neasy\nst 600\n");
    for number in 0..200 {
        let orders = [
            "go\nforce\n",
            "go\nnew\nst 600\n",
            "go\nforce\ngo\nforce\nnew\nst 600\n",
            "go\nundo\nforce\n",
        ];
        let (before, set_up) = match table.below(3) {
            0 => ("new\nst 600\n".to_owned(), Chess::default()),
            1 => {
                let position: shakmaty::fen::Fen = POSITION.parse().expect("a FEN");
                let position = position.into_position(CastlingMode::Standard);
                (
                    format!("force\nsetboard {POSITION}\n"),
                    position.expect("a position"),
                )
            }
            _ => {
                let mut position = Chess::default();
                let first = position.legal_moves()[0];
                position.play_unchecked(first);
                let first = first.to_uci(CastlingMode::Standard);
                (format!("new\nst 600\nforce\nusermove {first}\n"), position)
            }
        };
        let noise = orders[table.below(orders.len())];
        table
            .engine
            .send(format!("{noise}{before}go\n?\nping {number}\n"));
        table.position = set_up;
        loop {
            let line = table.engine.line();
            // `undo` at the start of a game.
            if line.starts_with("Error (command not legal now): undo") {
                continue;
            }
            let text = line
                .strip_prefix("move ")
                .unwrap_or_else(|| panic!("`{line}`"));
            let read: UciMove = text.parse().expect("a move in coordinates");
            read.to_move(&table.position).expect("a legal move");
            break;
        }
        assert_eq!(table.engine.line(), format!("pong {number}"));
    }
    table.engine.exits_cleanly();
}
