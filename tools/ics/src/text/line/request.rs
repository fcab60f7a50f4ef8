//! Offers during a game.

/// An offer or question of the opponent during the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// `draw`.
    Draw,
    /// `abort`.
    Abort,
    /// `adjourn`.
    Adjourn,
    /// `takeback N`: number of half-moves.
    Takeback(u32),
    /// `pause`.
    Pause,
    /// `unpause`.
    Unpause,
    /// `switch`: the sides are exchanged.
    Switch,
}

/// An answer to an offer during the game, or its withdrawal. Without `request`, the line does not name the offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestNotice {
    /// The named user has declined the offer of this account.
    Declined {
        /// Name of the opponent.
        from: String,
        /// The offer. The number of half-moves of a takeback is 0 if the line does not state it.
        request: Request,
    },
    /// The named user has withdrawn an offer.
    Withdrawn {
        /// Name of the opponent.
        from: String,
        /// The offer. The number of half-moves of a takeback is 0 if the line does not state it.
        request: Request,
    },
    /// The named user has accepted the offer of this account.
    Accepted {
        /// Name of the opponent.
        from: String,
        /// The offer. The number of half-moves of a takeback is 0 if the line does not state it.
        request: Request,
    },
    /// The server confirms that this account has made the offer.
    Sent(Request),
    /// The server declines or removes the opponent's offer for this account, for example because a move was made.
    Removed(Request),
}
