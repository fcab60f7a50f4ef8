//! Command-line options that determine self-play games.

use std::path::PathBuf;
use std::sync::Arc;

use crate::LabError;
use crate::game_file::{NodeLimit, move_to_bits};
use gaur::search::SearchSetup;
use gaur::tools::{AcceptedOptions, search_setup_with};

use super::book::Book;
use super::game_settings::GameSettings;
use super::play::Player;

/// Fewest random half-moves from the start position of chess or Fischer Random.
const RANDOM_PLIES: u16 = 8;

/// Fewest random half-moves from a position of an opening file.
const RANDOM_PLIES_FROM_BOOK: u16 = 2;

/// Largest number of node limits of a run.
const MAX_LIMITS: usize = 16;

/// Nodes per move of the game that gives the fingerprint.
const FINGERPRINT_NODES: u32 = 1000;

/// Options that determine the games.
#[derive(Clone, Debug, clap::Args)]
pub struct GameArgs {
    /// Nodes per move, on average; several limits are separated by commas [default: 2000; harvest: 250,2000]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub nodes: Vec<u32>,
    /// Shares of the games for the node limits, in the same order; their sum is 1 [default: 1; harvest: 0.975,0.025]
    #[arg(long, value_name = "SHARE,...", value_delimiter = ',', value_parser = share)]
    pub share: Vec<f64>,
    /// Share of games of Fischer Random, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    pub chess960: f64,
    /// Share of games of double Fischer Random, in which the sides start from different rows, 0 to 1; with --chess960
    /// at most 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub double_chess960: f64,
    /// EPD file with openings for all games that are not Fischer Random, instead of the start position
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// N or N + 1 random half-moves before a game begins; 0: none [default: 8; with --openings 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=40))]
    pub random_plies: Option<u16>,
    /// Set an option, such as Evaluation=classical or EvalFile=PATH; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Games played at once
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads)]
    pub threads: usize,
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("not a number from 1 to 1024".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    match (0.0..=1.0).contains(&share) {
        true => Ok(share),
        false => Err("not between 0 and 1".to_owned()),
    }
}

impl GameSettings {
    /// Reads the files that the options name.
    ///
    /// # Errors
    /// If an option cannot be set, a file cannot be read, or the shares do not fit together.
    pub fn new(args: &GameArgs, defaults: &[NodeLimit]) -> Result<GameSettings, LabError> {
        let [chess960_permille, double_chess960_permille] =
            [args.chess960, args.double_chess960].map(permille);
        if chess960_permille + double_chess960_permille > 1000 {
            let reason = "--chess960 and --double-chess960 are more than 1 together";
            return Err(LabError::Arguments(reason.to_owned()));
        }
        let book = args.openings.as_deref().map(Book::read).transpose()?;
        let default_plies = match (&book, args.random_plies) {
            (None, Some(0)) => {
                let reason = "without random half-moves all games are the same: \
                              give --random-plies at least 1, or --openings a file";
                return Err(LabError::Arguments(reason.to_owned()));
            }
            (None, _) => RANDOM_PLIES,
            (Some(_), _) => RANDOM_PLIES_FROM_BOOK,
        };
        let search_setup = search_setup_with(&args.set, AcceptedOptions::SearchSetup)?;
        Ok(GameSettings {
            limits: node_limits(args, defaults)?,
            chess960_permille,
            double_chess960_permille,
            random_plies: args.random_plies.unwrap_or(default_plies),
            book: book.map(Arc::new),
            fingerprint: fingerprint(&search_setup),
            search_setup,
        })
    }
}

/// Plays a short game and returns its checksum, which differs for other versions of the search and other evaluations.
pub(crate) fn fingerprint(search_setup: &SearchSetup) -> String {
    let settings = GameSettings {
        limits: vec![NodeLimit {
            nodes: FINGERPRINT_NODES,
            permille: 1000,
        }],
        chess960_permille: 0,
        double_chess960_permille: 0,
        random_plies: RANDOM_PLIES,
        book: None,
        search_setup: search_setup.clone(),
        fingerprint: String::new(),
    };
    let game = Player::new(&settings, 0).play(0, || false);
    let mut hasher = crc32fast::Hasher::new();
    for scored in game.iter().flat_map(|game| &game.moves) {
        hasher.update(&move_to_bits(scored.mv).to_le_bytes());
        hasher.update(&scored.score.0.to_le_bytes());
    }
    format!("{:08x}", hasher.finalize())
}

fn permille(share: f64) -> u16 {
    (share * 1000.0).round() as u16
}

/// Returns the node limits with their shares, or the defaults where the command line gives neither.
fn node_limits(args: &GameArgs, defaults: &[NodeLimit]) -> Result<Vec<NodeLimit>, LabError> {
    let wrong = |reason: String| Err(LabError::Arguments(reason));
    let shares = match (args.nodes.len(), args.share.len()) {
        (0, 0) => return Ok(defaults.to_vec()),
        (1, 0) => &[1.0][..],
        (limits, shares) if limits == shares => &args.share,
        (limits, shares) => {
            return wrong(format!(
                "--nodes gives {limits} limits and --share {shares} shares; give as many of both, \
                 such as --nodes 250,2000 --share 0.9,0.1"
            ));
        }
    };
    if shares.len() > MAX_LIMITS {
        return wrong(format!("at most {MAX_LIMITS} node limits are possible"));
    }
    if (shares.iter().sum::<f64>() - 1.0).abs() > 1e-3 {
        return wrong("the shares of --share must add up to 1".to_owned());
    }
    if shares.iter().any(|&share| permille(share) == 0) {
        return wrong("a share of --share is below 0.0005; leave its node limit out".to_owned());
    }
    let mut permilles: Vec<u16> = shares.iter().copied().map(permille).collect();
    // The largest share is corrected for the rounding of all shares.
    let rest = 1000 - permilles.iter().map(|&share| i32::from(share)).sum::<i32>();
    if let Some(largest) = permilles.iter_mut().max() {
        *largest = largest.saturating_add_signed(rest as i16);
    }
    let limits = args.nodes.iter().zip(permilles);
    Ok(limits
        .map(|(&nodes, permille)| NodeLimit { nodes, permille })
        .collect())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        games: GameArgs,
    }

    fn settings(line: &str) -> Result<GameSettings, String> {
        let words = ["gaur-lab"].into_iter().chain(line.split_whitespace());
        let line = Line::try_parse_from(words).map_err(|error| error.to_string())?;
        let defaults = [NodeLimit {
            nodes: 77,
            permille: 1000,
        }];
        GameSettings::new(&line.games, &defaults).map_err(|error| error.to_string())
    }

    #[test]
    fn shares_and_limits_belong_together() {
        let limits = |line| {
            let settings = settings(line).unwrap();
            let pairs = settings.limits.iter();
            pairs
                .map(|limit| (limit.nodes, limit.permille))
                .collect::<Vec<_>>()
        };
        assert_eq!(limits(""), [(77, 1000)]);
        assert_eq!(limits("--nodes 250"), [(250, 1000)]);
        assert_eq!(
            limits("--nodes 250,2000 --share 0.85,0.15"),
            [(250, 850), (2000, 150)]
        );
        assert_eq!(
            limits("--nodes 2,3,4 --share 0.3333,0.3333,0.3334"),
            [(2, 333), (3, 333), (4, 334)]
        );
        for (line, expected) in [
            ("--nodes 250,2000", "2 limits and --share 0 shares"),
            ("--nodes 250,2000 --share 0.5,0.4", "must add up to 1"),
            ("--nodes 250,2000 --share 0.9999,0.0001", "below 0.0005"),
            ("--share 0.5", "0 limits and --share 1 shares"),
            ("--random-plies 0", "all games are the same"),
            (
                "--chess960 0.6 --double-chess960 0.6",
                "more than 1 together",
            ),
            ("--chess960 1.5", "not between 0 and 1"),
            ("--openings missing.epd", "cannot read missing.epd"),
        ] {
            let error = settings(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
