//! `gaur bench`: searches fixed positions. The node count is a signature of how Gaur plays.
//!
//! A build has the same count on every machine. If the count changes, Gaur plays differently.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::eval::{Evaluation, Isa};
use crate::messages::Limits;
use crate::notation::{parse_fen, write_coordinate};
use crate::rules::{Position, Variant};
use crate::search::{MoveClass, Pages, ParallelSearch, Statistics};
use crate::types::Depth;

use super::ToolError;
use super::settings::{AcceptedOptions, search_setup_with};

/// Arguments of `gaur bench`.
#[derive(Clone, Debug, clap::Args)]
pub struct BenchArgs {
    /// Depth of each search
    #[arg(long, value_name = "D", default_value_t = 12, value_parser = clap::value_parser!(i32).range(1..=127))]
    pub depth: Depth,
    /// Size of the transposition table in mebibytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub hash: u64,
    /// Memory pages of the table, to measure what large ones gain
    #[arg(long, value_name = "KIND", default_value = "automatic")]
    pub pages: PageKind,
    /// Number of search threads; with more than one the node counts differ from run to run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Print statistics of the search: cutoffs by move class, and aspiration windows
    #[arg(long)]
    pub statistics: bool,
    /// Option, or in a tuning build search parameter, to set; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Instruction set of network and board instead of the fastest one of this processor; with `avx512` or
    /// `avx512vnni`, the fastest one for the board
    #[arg(long, value_name = "NAME", value_parser = isa)]
    pub isa: Option<Isa>,
}

/// Memory pages of the transposition table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum PageKind {
    /// Large ones where the system provides them, as in a game
    #[default]
    Automatic,
    /// Large ones; on Windows the bench ends with an error without them
    Large,
    /// Pages of the usual size
    Ordinary,
}

impl PageKind {
    fn name(self) -> &'static str {
        match self {
            PageKind::Automatic => "any",
            PageKind::Large => "large",
            PageKind::Ordinary => "ordinary",
        }
    }

    fn pages(self) -> Pages {
        match self {
            PageKind::Automatic => Pages::Automatic,
            PageKind::Large => Pages::Large,
            PageKind::Ordinary => Pages::Ordinary,
        }
    }
}

/// Parses the name of an instruction set that this processor has.
fn isa(name: &str) -> Result<Isa, String> {
    let mut all = Isa::available().into_iter();
    all.find(|isa| isa.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Isa::available().into_iter().map(Isa::name).collect();
        format!("this processor has {}", names.join(", "))
    })
}

/// Openings, middlegames, tactics and endings, from the public test sets Bratko-Kopec, Win at Chess and Eigenmann
/// Endgame, and from the opening book collection of the Stockfish project (CC0).
const POSITIONS: [&str; 39] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqk2r/p2n1pbp/2pp1np1/1p2p3/3PP3/2N1B1PP/PPP1NPB1/R2QK2R w KQkq - 0 9",
    "r1bq1rk1/pp3ppp/2n1pn2/2bp4/2P2B2/2N1PN2/PPQ2PPP/R3KB1R w KQ - 2 9",
    "r2q1rk1/pbpn1ppp/1p1bpn2/3p4/2PP4/1P2PN2/PB2BPPP/RN1Q1RK1 w - - 1 9",
    "rnb2rk1/ppq2ppp/2pb1p2/8/2BP4/4B3/PPP1NPPP/R2QK2R w KQ - 6 9",
    "rnbq1rk1/pp2ppbp/6p1/2p5/3P4/2n2NP1/PP2PPBP/R1BQ1RK1 w - - 0 9",
    "1rbq1rk1/p2pppbp/1pn2np1/2p5/2P5/P1NP1NP1/1P2PPBP/R1BQ1RK1 w - - 0 9",
    "rnbq1rk1/ppp1ppbp/6p1/3pP3/3P4/2nBBN1P/PPP2PP1/R2QK2R w KQ - 0 9",
    "r1bqk2r/ppp1bpp1/4pn1p/6B1/3P4/5Q2/PPP2PPP/2KR1BNR w kq - 0 9",
    "r2q1rk1/pppnbppp/5n2/3p4/3P2b1/2PB1N2/PP1N1PPP/R1BQ1RK1 w - - 3 9",
    "rn2k2r/pbppqpp1/1p2pn1p/8/2PP3B/2b2N2/PPQ1PPPP/2KR1B1R w kq - 0 9",
    "r1bqkb1r/1p1n1p1p/p2p1np1/4pN2/4PP2/2N2Q2/PPP3PP/R1B1KB1R w KQkq - 0 9",
    "r2qk2r/2p2ppp/p1npbn2/1pb1p3/4P3/1BP2N2/PP1PQPPP/RNB2RK1 w kq - 2 9",
    "rnb2rk1/pp2ppbp/5np1/2p2q2/3P4/1PN1PN2/PB3PPP/R2QKB1R w KQ - 1 9",
    "r1bqk1nr/pp3ppp/2n1p3/8/2pP4/P1N5/1P3PPP/R1BQKB1R w KQkq - 0 9",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1",
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1",
    "r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
    "r1b1kb1r/3q1ppp/pBp1pn2/8/Np3P2/5B2/PPP3PP/R2Q1RK1 w kq - 0 1",
    "3qrbk1/ppp1r2n/3pP2p/3P4/2P4P/1P3Q2/PB6/R4R1K w - - 0 1",
    "6k1/p5p1/5p2/2P2Q2/3pN2p/3PbK1P/7P/6q1 b - - 0 1",
    "3r3k/3r1P1p/pp1Nn3/2pp4/7Q/6R1/Pq4PP/5RK1 w - - 0 1",
    "r1bqrk2/pp1n1n1p/3p1p2/P1pP1P1Q/2PpP1NP/6R1/2PB4/4RBK1 w - - 0 1",
    "r5k1/1bp3pp/p2p4/1p6/5p2/1PBP1nqP/1PP3Q1/R4R1K b - - 0 1",
    "8/pp5p/3k2p1/8/4Kp2/2P1P2P/P7/8 w - - 0 1",
    "8/kn4b1/P2B4/8/1Q6/6pP/1q4pP/5BK1 w - - 0 1",
    "4b1k1/1p3p2/4pPp1/p2pP1P1/P2P4/1P1B4/8/2K5 w - - 0 1",
    "k2N4/1qpK1p2/1p6/1P4p1/1P4P1/8/8/8 w - - 0 1",
    "6k1/8/8/1K4p1/3p2P1/2pp4/8/1R6 w - - 0 1",
    "8/pp3K2/2P4k/5p2/8/6P1/R7/6r1 w - - 0 1",
    "3kB3/R4P2/8/8/1p6/pp6/5r2/1K6 w - - 0 1",
    "8/7p/6p1/3Np1bk/4Pp2/1R3PPK/5r1P/8 w - - 0 1",
    "1k1K4/1p6/P4P2/2R5/4p2R/r2p4/8/3r4 w - - 0 1",
];

/// Runs the bench and prints its last line as `N nodes M nps`.
///
/// # Errors
/// If a parameter cannot be set, or the results cannot be written.
pub fn run_bench(args: &BenchArgs, out: &mut impl Write) -> Result<(), ToolError> {
    let mut setup = search_setup_with(&args.set, AcceptedOptions::SearchSetup)?;
    match (args.isa, &mut setup.evaluation) {
        (Some(wanted), Evaluation::Network(_, isa)) => *isa = wanted,
        (Some(_), Evaluation::Classical) => return Err(ToolError::NoEffect("--isa".to_owned())),
        (None, _) => {}
    }
    let threads = usize::from(args.threads);
    let mut search = ParallelSearch::with_pages(args.hash, args.pages.pages(), threads, &setup)
        .ok_or(ToolError::NoTable(args.hash, args.pages.name()))?;
    let limits = Limits {
        depth: Some(args.depth),
        ..Limits::default()
    };
    let mut statistics = Statistics::default();
    let mut nodes = 0;
    let (mut first_nodes, mut used_by_first, mut used) = (0, Duration::ZERO, Duration::ZERO);
    let started = Instant::now();
    for fen in POSITIONS {
        let mut board = Board::from_setup(&parse_fen(fen)?)?;
        if let Some(isa) = args.isa {
            board.select_instruction_set(isa.name());
        }
        let position = Position::new(board, Variant::Standard);
        let result = search.run(&position, limits).ok_or_else(no_thread)?;
        let best = result.best.map_or_else(
            || "none".to_owned(),
            |mv| write_coordinate(mv, Variant::Standard),
        );
        writeln!(out, "{:>10} nodes  {best:<5}  {fen}", result.nodes)?;
        nodes += result.nodes;
        first_nodes += result.first_nodes;
        used += result.processor_time;
        used_by_first += result.first_processor_time;
        statistics += result.statistics;
    }
    let seconds = started.elapsed().as_secs_f64().max(1e-9);
    if args.statistics {
        write_statistics(&statistics, out)?;
    }
    writeln!(out, "evaluation: {}", setup.evaluation)?;
    writeln!(
        out,
        "{seconds:.2} s; first thread: {first_nodes} nodes, {:.2} s of processor time; all: {:.2} s",
        used_by_first.as_secs_f64(),
        used.as_secs_f64()
    )?;
    writeln!(out, "{nodes} nodes {:.0} nps", nodes as f64 / seconds)?;
    Ok(())
}

fn no_thread() -> ToolError {
    ToolError::Search(io::Error::other("the system grants no thread"))
}

fn write_statistics(statistics: &Statistics, out: &mut impl Write) -> Result<(), ToolError> {
    let all = statistics.all_cutoffs().max(1) as f64;
    let share = |part: u64| 100.0 * part as f64 / all;
    writeln!(
        out,
        "cutoffs: {}, {:.1} % by the first move",
        statistics.all_cutoffs(),
        share(statistics.first_move_cutoffs)
    )?;
    for class in MoveClass::ALL {
        writeln!(
            out,
            "  {:<16} {:5.1} %",
            format!("{class:?}"),
            share(statistics.cutoffs[class as usize])
        )?;
    }
    let Statistics {
        windows,
        fail_lows,
        fail_highs,
        ..
    } = statistics;
    writeln!(
        out,
        "aspiration windows: {windows}, {fail_lows} failed low, {fail_highs} failed high"
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(depth: Depth, set: &[&str], isa: Option<Isa>) -> BenchArgs {
        BenchArgs {
            depth,
            hash: 1,
            pages: PageKind::default(),
            threads: 1,
            statistics: true,
            set: set.iter().map(|&setting| setting.to_owned()).collect(),
            isa,
        }
    }

    fn last_line(depth: Depth, isa: Option<Isa>) -> String {
        let args = args(depth, &[], isa);
        let mut out = Vec::new();
        run_bench(&args, &mut out).expect("all positions are legal");
        String::from_utf8_lossy(&out)
            .lines()
            .last()
            .unwrap_or_default()
            .to_owned()
    }

    #[test]
    fn the_count_is_the_same_every_time_and_with_all_instruction_sets() {
        let count = |line: String| line.split(' ').next().map(str::to_owned);
        let first = last_line(4, None);
        assert!(
            first.ends_with("nps") && first.contains(" nodes "),
            "{first}"
        );
        let first = count(first);
        for isa in Isa::available() {
            assert_eq!(first, count(last_line(4, Some(isa))), "{}", isa.name());
        }
    }

    #[test]
    fn the_count_is_the_same_with_all_pages() {
        let count = |pages| {
            let args = BenchArgs {
                pages,
                ..args(4, &[], None)
            };
            let mut out = Vec::new();
            run_bench(&args, &mut out).map(|()| {
                let text = String::from_utf8_lossy(&out).into_owned();
                let last = text.lines().last().unwrap_or_default();
                last.split(' ').next().unwrap_or_default().to_owned()
            })
        };
        let expected = count(PageKind::Automatic).expect("a table of one mebibyte");
        assert_eq!(expected, count(PageKind::Ordinary).expect("ordinary pages"));
        // Not every system has large pages.
        match count(PageKind::Large) {
            Ok(nodes) => assert_eq!(expected, nodes),
            Err(error) => assert!(
                error.to_string().ends_with("1 MB in large pages"),
                "{error}"
            ),
        }
    }

    #[test]
    fn isa_is_refused_with_the_classical_evaluation() {
        let args = args(1, &["Evaluation=classical"], Some(Isa::Scalar));
        let error = run_bench(&args, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, ToolError::NoEffect(name) if name == "--isa"));
    }

    #[test]
    fn an_unknown_parameter_is_an_error() {
        let args = args(1, &["nonsense=1"], None);
        assert!(run_bench(&args, &mut Vec::new()).is_err());
    }
}
