//! `edit`: a position put together piece by piece.

use std::time::Instant;

use super::{Machine, Mode};
use crate::notation::write_setup;
use crate::protocol::command::{EditCommand, ParseError};
use crate::protocol::parser::parse_edit;
use crate::protocol::reply::ErrorKind;
use crate::rules::{Setup, Variant};
use crate::types::{CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

impl Machine {
    /// `edit`: the lines that follow change the present position.
    pub(super) fn edit(&mut self, now: Instant) {
        self.settle(now);
        let draft = self.game.setup();
        let after = Box::new(std::mem::replace(&mut self.mode, Mode::Force));
        self.mode = Mode::Editing {
            draft,
            color: Color::White,
            after,
        };
    }

    /// A line in edit mode.
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
                finish(&mut setup, self.game.variant());
                let fen = write_setup(&setup, self.game.variant());
                self.set_up(&setup, &fen, now);
            }
            Ok(EditCommand::Ping(text)) => self.pongs.push(text, None),
            Ok(EditCommand::Quit) => self.quit(),
            Err(ParseError::UnknownCommand) => self.refuse(ErrorKind::UnknownCommand, line),
            Err(ParseError::BadArgument) => self.refuse(ErrorKind::BadArgument, line),
        }
    }
}

/// What edit mode cannot say follows from the pieces: castling is possible wherever king and rook are at home,
/// nothing can be taken en passant, and counting begins anew.
fn finish(setup: &mut Setup, variant: Variant) {
    setup.castling = Color::ALL
        .map(|color| CastlingSide::ALL.map(|side| castling_rook(setup, color, side, variant)));
    setup.en_passant = None;
    setup.halfmove_clock = 0;
    setup.fullmove_number = 1;
}

/// The file of the rook that castling on this side would use. At home is e, a and h in chess; in Fischer Random
/// it is the home rank, and the outermost rook.
fn castling_rook(
    setup: &Setup,
    color: Color,
    side: CastlingSide,
    variant: Variant,
) -> Option<File> {
    let stands = |kind: PieceKind, file: File| {
        setup.piece_on(Square::new(file, Rank::home(color))) == Some(Piece::new(color, kind))
    };
    match variant {
        Variant::Standard => {
            let rook = if side == CastlingSide::HSide {
                File::H
            } else {
                File::A
            };
            (stands(PieceKind::King, File::E) && stands(PieceKind::Rook, rook)).then_some(rook)
        }
        Variant::Fischerandom => {
            let king = File::all().find(|&file| stands(PieceKind::King, file))?;
            let mut rooks = File::all().filter(|&file| stands(PieceKind::Rook, file));
            match side {
                CastlingSide::HSide => rooks.next_back().filter(|&file| file > king),
                CastlingSide::ASide => rooks.next().filter(|&file| file < king),
            }
        }
    }
}
