//! The folder of the tables, and random positions that they contain.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gaur::board::{Board, Setup};
use gaur::rules::{Position, Variant};
use gaur::tablebase::Tablebases;
use gaur::types::{Color, Piece, PieceKind, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use shakmaty_syzygy::filesystem::OsFilesystem;

/// Variable that names a folder with all tables of three and four men.
const VARIABLE: &str = "GAUR_SYZYGY";

/// A folder with tables.
pub struct Folder {
    /// Path.
    pub path: PathBuf,
    /// Number of men of the tables.
    pub men: usize,
}

/// Returns the folder that the variable names, or that of the repository.
pub fn folder() -> Folder {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match env::var_os(VARIABLE) {
        Some(path) => Folder {
            path: root.join(path),
            men: 4,
        },
        None => {
            println!("{VARIABLE} is not set: ENDINGS WITH FOUR MEN ARE NOT TESTED.");
            Folder {
                path: root.join("src/tablebase/testdata"),
                men: 3,
            }
        }
    }
}

impl Folder {
    /// Opens all tables of the folder.
    pub fn tables(&self) -> Result<Arc<Tablebases>, String> {
        let mut tables = Tablebases::new(Arc::new(OsFilesystem::new()));
        let entries = fs::read_dir(&self.path);
        let entries = entries.map_err(|error| format!("{}: {error}", self.path.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            if Tablebases::is_table(&path) {
                let added = tables.add(&path);
                added.map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        let men = tables.counts().men;
        if men < self.men {
            return Err(format!("{} has tables for {men} men", self.path.display()));
        }
        Ok(Arc::new(tables))
    }
}

/// Returns a random legal position with three men, or with three to `men`.
pub fn random_position(random: &mut ChaCha8Rng, men: usize) -> Position {
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    loop {
        let mut setup = Setup::empty();
        setup.side_to_move = Color::ALL[below(2)];
        for color in Color::ALL {
            let square = Square::from_index(below(64));
            setup.set(square, Some(Piece::new(color, PieceKind::King)));
        }
        let count = 3 + below(men - 2);
        for _ in 2..count {
            let piece = Piece::new(Color::ALL[below(2)], PieceKind::ALL[below(5)]);
            setup.set(Square::from_index(below(64)), Some(piece));
        }
        // A later piece may have replaced an earlier one.
        if let Ok(board) = Board::from_setup(&setup)
            && board.occupancy() == count
        {
            return Position::new(board, Variant::Standard);
        }
    }
}
