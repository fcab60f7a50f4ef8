//! Games and positions: `new`, `variant`, `setboard`, edit mode, `undo` and `remove`.

use std::error::Error;
use std::time::Instant;

use crate::game::Game;
use crate::notation::{parse_fen_for, write_setup};
use crate::protocol::command::{EditCommand, ParseError};
use crate::protocol::parser::parse_edit;
use crate::protocol::policy::PolicyState;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::rules::{Position, Setup, Variant};
use crate::types::{CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

use super::mode::Mode;
use super::state::Machine;

impl Machine {
    /// `new`: the start position, with the engine as Black and without limits. Analysis mode stays.
    pub(super) fn new_game(&mut self, now: Instant) {
        self.stop_search(now);
        self.conversation.on_play();
        if !matches!(self.mode, Mode::Analysing { .. }) {
            self.mode = Mode::Waiting {
                engine: Color::Black,
            };
        }
        self.players.clear_opponent();
        self.is_random = false;
        self.chat.on_new_game();
        self.time.on_new_game();
        self.constraints.clear_scores();
        self.clear_search();
        self.set_game(Game::new(Variant::Standard), now);
    }

    /// `variant`: the start position of another variant.
    pub(super) fn variant(&mut self, name: &str, line: &str, now: Instant) {
        match Variant::from_name(name) {
            // Some GUIs repeat the variant after the position has been set up.
            Some(variant) if variant == self.game.variant() => {}
            Some(variant) => {
                self.stop_search(now);
                self.set_game(Game::new(variant), now);
            }
            None => self.reject(ErrorKind::UnknownVariant, line),
        }
    }

    /// `setboard`. After an illegal position no move can be played.
    pub(super) fn set_board(&mut self, fen: &str, now: Instant) {
        self.stop_search(now);
        match parse_fen_for(fen, self.game.variant()) {
            Ok(setup) => self.set_up(&setup, fen, now),
            Err(error) => self.set_illegal(Setup::empty(), fen, &error, now),
        }
    }

    /// Starts a game at a position from `setboard` or edit mode. No search is running. An error message contains `fen`.
    fn set_up(&mut self, setup: &Setup, fen: &str, now: Instant) {
        match Position::from_setup(setup, self.game.variant()) {
            Ok(position) => self.set_game(Game::from_position(position), now),
            Err(error) => self.set_illegal(setup.clone(), fen, &error, now),
        }
    }

    fn set_illegal(&mut self, setup: Setup, fen: &str, reason: &dyn Error, now: Instant) {
        self.reply(Reply::IllegalPosition {
            fen: fen.to_owned(),
            reason: reason.to_string(),
        });
        self.set_game(Game::unplayable(setup, self.game.variant()), now);
    }

    fn set_game(&mut self, game: Game, now: Instant) {
        self.game = game;
        self.book.on_new_game();
        self.policy_state = PolicyState::default();
        self.time.reset_reports();
        self.on_position_changed(now);
    }

    /// `undo`: takes back one half-move.
    pub(super) fn undo(&mut self, line: &str, now: Instant) {
        self.take_back(1, line, now);
    }

    /// `remove`: takes back two half-moves, so that the side to move stays the same.
    pub(super) fn remove(&mut self, line: &str, now: Instant) {
        if self.take_back(2, line, now)
            && let Mode::Waiting { engine } = self.mode
            && let Some(turn) = self.game.position().map(Position::side_to_move)
            && turn != engine
        {
            self.time.run(turn, now);
            if !self.game.is_empty() {
                self.start_pondering(now);
            }
        }
    }

    /// Takes back `count` half-moves. Rejects the command and returns `false` if the game is shorter.
    ///
    /// Outside force mode and analysis the engine then waits for `go`, even if it is to move: it would only repeat its
    /// move.
    fn take_back(&mut self, count: usize, line: &str, now: Instant) -> bool {
        if self.game.len() < count {
            self.reject(ErrorKind::NotLegalNow, line);
            return false;
        }
        self.stop_search(now);
        for _ in 0..count {
            if let Some(clocks) = self.game.take_back() {
                self.time.take_back_to(&clocks, now);
            }
        }
        self.policy_state.forget_scores();
        self.on_position_changed(now);
        true
    }

    /// Handles a change of the position other than a move. No search is running.
    pub(super) fn on_position_changed(&mut self, now: Instant) {
        self.clear_position_input();
        self.book.on_takeback(&self.game);
        self.policy_state.end_own_offer();
        match self.mode {
            Mode::Analysing { .. } => self.restart_analysis(now),
            Mode::Over { engine } => self.mode = Mode::Waiting { engine },
            _ => {}
        }
    }

    /// `edit`: the following lines change the current position.
    pub(super) fn edit(&mut self, now: Instant) {
        self.stop_search(now);
        let draft = self.game.setup();
        let after = Box::new(std::mem::replace(&mut self.mode, Mode::Force));
        self.mode = Mode::Editing {
            draft,
            color: Color::White,
            after,
        };
    }

    /// Handles a line in edit mode.
    pub(super) fn edit_line(&mut self, line: &str, now: Instant) {
        let Mode::Editing {
            draft,
            color,
            after,
        } = &mut self.mode
        else {
            return;
        };
        match parse_edit(line) {
            Ok(EditCommand::Clear) => {
                for square in Square::all() {
                    draft.set(square, None);
                }
            }
            Ok(EditCommand::ChangeColor) => *color = !*color,
            Ok(EditCommand::Put(kind, square)) => draft.set(square, Some(Piece::new(*color, kind))),
            Ok(EditCommand::Empty(square)) => draft.set(square, None),
            Ok(EditCommand::Nothing) => {}
            Ok(EditCommand::Done) => {
                let mut setup = draft.clone();
                self.mode = std::mem::replace(after, Mode::Force);
                complete_setup(&mut setup, self.game.variant());
                let fen = write_setup(&setup, self.game.variant());
                self.set_up(&setup, &fen, now);
            }
            Ok(EditCommand::Ping(text)) => self.pongs.push(text, None),
            Ok(EditCommand::Quit) => self.quit(),
            Err(ParseError::UnknownCommand) => self.reject(ErrorKind::UnknownCommand, line),
            Err(ParseError::BadArgument) => self.reject(ErrorKind::BadArgument, line),
        }
    }
}

/// Sets the parts of a position that edit mode cannot express. Castling is allowed wherever king and rook are on their
/// home squares, en passant is not, and the move counters start anew.
fn complete_setup(setup: &mut Setup, variant: Variant) {
    setup.castling = Color::ALL
        .map(|color| CastlingSide::ALL.map(|side| castling_rook(setup, color, side, variant)));
    setup.en_passant = None;
    setup.halfmove_clock = 0;
    setup.fullmove_number = 1;
}

/// Returns the file of the rook for castling on this side. The king must be on the e-file and the rook in the corner;
/// in Fischer Random, king and rook may be anywhere on the home rank, and the outermost rook castles.
fn castling_rook(
    setup: &Setup,
    color: Color,
    side: CastlingSide,
    variant: Variant,
) -> Option<File> {
    let is_on = |kind: PieceKind, file: File| {
        setup.piece_on(Square::new(file, Rank::home(color))) == Some(Piece::new(color, kind))
    };
    match variant {
        Variant::Standard => {
            let rook = if side == CastlingSide::HSide {
                File::H
            } else {
                File::A
            };
            (is_on(PieceKind::King, File::E) && is_on(PieceKind::Rook, rook)).then_some(rook)
        }
        Variant::Fischerandom => {
            let king = File::all().find(|&file| is_on(PieceKind::King, file))?;
            let mut rooks = File::all().filter(|&file| is_on(PieceKind::Rook, file));
            match side {
                CastlingSide::HSide => rooks.next_back().filter(|&file| file > king),
                CastlingSide::ASide => rooks.next().filter(|&file| file < king),
            }
        }
    }
}
