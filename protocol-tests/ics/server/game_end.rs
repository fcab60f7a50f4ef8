//! Ends of games, in the sentences by which clients recognise results.

use shakmaty::{ByColor, Color};

use super::family::Family;

/// Reason why a game is over or interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This side is mated.
    Checkmate(Color),
    Stalemate,
    /// Neither side can ever mate.
    Material,
    Repetition,
    FiftyMoves,
    Agreement,
    /// This side resigned.
    Resignation(Color),
    /// This side ran out of time.
    Flag(Color),
    /// This side ran out of time, but the other one cannot mate.
    FlagWithoutMaterial(Color),
    /// Both sides ran out of time.
    BothFlags,
    /// This side, a guest, lost its connection.
    Forfeit(Color),
    /// Aborted by agreement.
    Abort,
    /// Aborted by one side before both have moved.
    EarlyAbort,
    Adjournment,
    /// This side, with an account, lost its connection; the game is adjourned.
    LostConnection(Color),
}

impl Ending {
    /// Returns the part before the result: `Rabbit resigns`.
    pub fn reason(self, names: &ByColor<String>) -> String {
        match self {
            Ending::Checkmate(loser) => format!("{} checkmated", names[loser]),
            Ending::Stalemate => "Game drawn by stalemate".into(),
            Ending::Material => "Neither player has mating material".into(),
            Ending::Repetition => "Game drawn by repetition".into(),
            Ending::FiftyMoves => "Game drawn by the 50 move rule".into(),
            Ending::Agreement => "Game drawn by mutual agreement".into(),
            Ending::Resignation(loser) => format!("{} resigns", names[loser]),
            Ending::Flag(loser) => format!("{} forfeits on time", names[loser]),
            Ending::FlagWithoutMaterial(late) => format!(
                "{} ran out of time and {} has no material to mate",
                names[late], names[!late]
            ),
            Ending::BothFlags => "Game drawn because both players ran out of time".into(),
            Ending::Forfeit(loser) => format!("{} forfeits by disconnection", names[loser]),
            Ending::Abort => "Game aborted by mutual agreement".into(),
            Ending::EarlyAbort => "Game aborted on move 1".into(),
            Ending::Adjournment => "Game adjourned by mutual agreement".into(),
            Ending::LostConnection(lost) => {
                format!("{} lost connection; game adjourned", names[lost])
            }
        }
    }

    /// Returns the part before the result in the words of such a server.
    pub fn sentence(self, names: &ByColor<String>, family: Family) -> String {
        match self {
            Ending::LostConnection(_) if !family.is_fics() => "adjourned".into(),
            other => other.reason(names),
        }
    }

    /// Returns `1-0`, `0-1`, `1/2-1/2`, or `*` for a game without a result.
    pub fn result(self) -> &'static str {
        match self {
            Ending::Checkmate(loser)
            | Ending::Resignation(loser)
            | Ending::Flag(loser)
            | Ending::Forfeit(loser) => loser.fold_wb("0-1", "1-0"),
            Ending::Stalemate
            | Ending::Material
            | Ending::Repetition
            | Ending::FiftyMoves
            | Ending::Agreement
            | Ending::FlagWithoutMaterial(_)
            | Ending::BothFlags => "1/2-1/2",
            Ending::Abort
            | Ending::EarlyAbort
            | Ending::Adjournment
            | Ending::LostConnection(_) => "*",
        }
    }

    /// Returns `true` if the game can be resumed.
    pub fn is_adjourned(self) -> bool {
        matches!(self, Ending::Adjournment | Ending::LostConnection(_))
    }
}
