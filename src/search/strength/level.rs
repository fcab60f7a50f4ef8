//! The levels: what a playing strength sees, knows and calculates.

/// Elo from which a level always finds a mate in one and considers every recapture.
pub(super) const SEES_MATE_IN_ONE: u32 = 1000;

/// Elo from which a level mates with queen, rook or two rooks, and wins pawn endings against a bare king.
const KNOWS_ELEMENTARY_MATES: u32 = 1000;

/// Elo from which a level mates with two bishops, or with bishop and knight.
const KNOWS_MINOR_MATES: u32 = 1800;

/// Elo from which a level probes endgame tablebases.
const USES_TABLEBASES: u32 = 2400;

/// The properties of a level. A row of [`ROWS`], or between two of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::search) struct Level {
    /// The level.
    pub elo: u32,
    /// Number of nodes after which no iteration starts; less than those of the first one mean a single iteration.
    pub nodes: f64,
    /// Number of root moves that are compared; the others are only shown to be worse.
    pub lines: f64,
    /// Standard deviation of the noise of evaluations with all pieces on the board, in centipawns.
    pub noise: f64,
    /// Share of the evaluation function in evaluations, 0 to 1. The rest is material and the squares of pieces.
    pub eval_share: f64,
    /// Probability that a quiet move deep in the tree is overlooked.
    pub blindness: f64,
    /// Loss in centipawns at which a move is chosen e times less often than the best.
    pub temperature: f64,
}

/// Returns a row. Columns: Elo, nodes, lines, noise, share of the evaluation function, blindness, temperature.
const fn row(elo: u32, numbers: [f64; 6]) -> Level {
    let [nodes, lines, noise, eval_share, blindness, temperature] = numbers;
    Level {
        elo,
        nodes,
        lines,
        noise,
        eval_share,
        blindness,
        temperature,
    }
}

/// The levels, as measured in games (`docs/experiments/levels.md`).
const ROWS: [Level; 12] = [
    row(600, [202.0, 53.0, 75.9, 0.198, 0.420, 31.8]),
    row(800, [520.0, 38.0, 62.0, 0.320, 0.340, 25.0]),
    row(1000, [600.0, 33.0, 58.0, 0.360, 0.320, 23.0]),
    row(1200, [1040.0, 21.5, 47.2, 0.494, 0.249, 18.5]),
    row(1400, [1500.0, 15.2, 40.0, 0.600, 0.202, 15.3]),
    row(1600, [3200.0, 8.6, 27.0, 0.800, 0.121, 10.8]),
    row(1800, [6400.0, 5.7, 17.8, 0.958, 0.066, 7.9]),
    row(2000, [15500.0, 4.0, 10.3, 0.997, 0.028, 5.4]),
    row(2200, [37000.0, 2.9, 5.6, 1.000, 0.007, 3.6]),
    row(2400, [75000.0, 2.3, 4.0, 1.000, 0.003, 2.6]),
    row(2600, [145_000.0, 1.8, 2.5, 1.000, 0.000, 1.8]),
    row(2800, [245_000.0, 1.3, 1.2, 1.000, 0.000, 1.4]),
];

impl Level {
    /// Returns the level of a playing strength.
    pub fn of(elo: u32) -> Level {
        let elo = elo.clamp(ROWS[0].elo, ROWS[ROWS.len() - 1].elo);
        let above = ROWS.partition_point(|row| row.elo < elo).max(1);
        let (low, high) = (&ROWS[above - 1], &ROWS[above]);
        let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let linear = |from: f64, to: f64| from + (to - from) * share;
        let geometric = |from: f64, to: f64| from * (to / from).powf(share);
        Level {
            elo,
            nodes: geometric(low.nodes, high.nodes),
            lines: geometric(low.lines, high.lines),
            noise: linear(low.noise, high.noise),
            eval_share: linear(low.eval_share, high.eval_share),
            blindness: linear(low.blindness, high.blindness),
            temperature: linear(low.temperature, high.temperature),
        }
    }

    /// Returns `true` if the level finds every mate in one and considers every recapture.
    pub fn sees_mate_in_one(&self) -> bool {
        self.elo >= SEES_MATE_IN_ONE
    }

    /// Returns `true` if the level plays endings against a bare king without errors; `has_minors_only` is set if the
    /// other side has only bishops and knights.
    pub fn masters_bare_king(&self, has_minors_only: bool) -> bool {
        let least = if has_minors_only {
            KNOWS_MINOR_MATES
        } else {
            KNOWS_ELEMENTARY_MATES
        };
        self.elo >= least
    }

    /// Returns `true` if the level probes endgame tablebases.
    pub fn uses_tablebases(&self) -> bool {
        self.elo >= USES_TABLEBASES
    }

    /// Returns the thinking time compared with that of other players: weak players move faster.
    pub fn pace(&self) -> f64 {
        0.7 + 0.3 * (f64::from(self.elo) - 600.0) / 1400.0_f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{MAX_ELO, MIN_ELO};

    #[test]
    fn the_rows_cover_all_levels_and_become_stronger() {
        assert_eq!((ROWS[0].elo, ROWS[ROWS.len() - 1].elo), (MIN_ELO, MAX_ELO));
        for pair in ROWS.windows(2) {
            assert!(pair[0].elo < pair[1].elo && pair[0].nodes <= pair[1].nodes);
            assert!(pair[0].noise >= pair[1].noise && pair[0].blindness >= pair[1].blindness);
            assert!(pair[0].temperature >= pair[1].temperature);
            assert!(pair[0].eval_share <= pair[1].eval_share);
        }
    }

    #[test]
    fn levels_between_rows_are_interpolated() {
        for row in ROWS {
            assert_eq!(Level::of(row.elo).noise, row.noise);
        }
        let (low, between, high) = (Level::of(1400), Level::of(1500), Level::of(1600));
        assert!(low.nodes < between.nodes && between.nodes < high.nodes);
        assert!(low.noise > between.noise && between.noise > high.noise);
    }

    #[test]
    fn weak_levels_know_less_and_move_faster() {
        let knows = |elo| {
            let level = Level::of(elo);
            (level.sees_mate_in_one(), level.masters_bare_king(false))
        };
        assert_eq!((knows(999), knows(1000)), ((false, false), (true, true)));
        assert!(!Level::of(1799).masters_bare_king(true));
        assert!(Level::of(1800).masters_bare_king(true));
        assert!(!Level::of(2399).uses_tablebases() && Level::of(2400).uses_tablebases());
        assert!(Level::of(600).pace() < Level::of(2000).pace());
    }
}
