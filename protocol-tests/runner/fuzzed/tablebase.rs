//! Tablebase files: any content instead of a table of three men.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gaur::board::{Board, Setup};
use gaur::rules::{Position, Variant};
use gaur::tablebase::{Filesystem, RandomAccessFile, ReadHint, Tablebases, Wdl};
use gaur::types::{Color, Piece, Square};

macro_rules! table {
    ($name:literal) => {
        (
            $name,
            include_bytes!(concat!("../../../src/tablebase/testdata/", $name)),
        )
    };
}

/// All tables of three men.
const TABLES: [(&str, &[u8]); 10] = [
    table!("KQvK.rtbw"),
    table!("KQvK.rtbz"),
    table!("KRvK.rtbw"),
    table!("KRvK.rtbz"),
    table!("KPvK.rtbw"),
    table!("KPvK.rtbz"),
    table!("KBvK.rtbw"),
    table!("KBvK.rtbz"),
    table!("KNvK.rtbw"),
    table!("KNvK.rtbz"),
];

/// Remainder of the size of every table, modulo 64. Other files are refused before they are opened.
const SIZE_REMAINDER: usize = 16;

/// Number of positions that are looked up.
const POSITIONS: usize = 48;

/// Replaces the table that the first byte selects by the other bytes, and looks up positions. A file that is recognised
/// as damaged disables all tables and is reported once; another one gives results, which may be wrong.
pub fn run(bytes: &[u8]) {
    let Some((&selector, content)) = bytes.split_first() else {
        return;
    };
    let index = usize::from(selector) % TABLES.len();
    let mut content = content.to_vec();
    while content.len() % 64 != SIZE_REMAINDER {
        content.push(0);
    }
    let mut tables = Tablebases::new(Arc::new(Files {
        replaced: TABLES[index].0,
        content: content.into(),
    }));
    for (name, _) in TABLES {
        tables.add(Path::new(name)).expect("a name and a size");
    }
    let letter = TABLES[index].0.as_bytes()[1];
    let mut problems = 0;
    for number in 0..POSITIONS {
        let Some(position) = position(char::from(letter), number) else {
            continue;
        };
        let result = tables.wdl(position.board());
        let moves = position.legal_moves();
        let ranking = tables.rank_root_moves(&position, &moves, || true);
        problems += usize::from(tables.take_problem().is_some());
        let has_failed = tables.max_men() == 0;
        assert_eq!(has_failed, problems == 1, "one report");
        assert!(has_failed || result.is_some(), "no table is missing");
        assert!(has_failed || moves.is_empty() || ranking.is_some());
        if let Some(ranking) = ranking {
            let best = ranking.best(1);
            assert!(!best.is_empty() && best.iter().all(|mv| moves.contains(mv)));
            assert!((Wdl::Loss..=Wdl::Win).contains(&ranking.result()));
        }
    }
}

/// Returns a legal position with a piece of this kind, or nothing if the position with this number is none.
fn position(letter: char, number: usize) -> Option<Position> {
    // Squares without a pattern: multiples of a generator modulo a prime.
    let square = |index: usize| Square::from_index((number * 3 + index + 1) * 59 % 67 % 64);
    let mut setup = Setup::empty();
    setup.side_to_move = if number.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    };
    for (index, letter) in ['K', 'k', letter].into_iter().enumerate() {
        if setup.piece_on(square(index)).is_some() {
            return None;
        }
        setup.set(square(index), Piece::from_fen_letter(letter));
    }
    let board = Board::from_setup(&setup).ok()?;
    Some(Position::new(board, Variant::Standard))
}

/// The tables in memory, one of which has other content.
struct Files {
    replaced: &'static str,
    content: Arc<[u8]>,
}

impl Files {
    fn content(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        if path == Path::new(self.replaced) {
            return Ok(Arc::clone(&self.content));
        }
        let table = TABLES.iter().find(|(name, _)| path == Path::new(name));
        let (_, bytes) = table.ok_or(io::Error::from(ErrorKind::NotFound))?;
        Ok(Arc::from(*bytes))
    }
}

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        Ok(self.content(path)?.len() as u64)
    }

    fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(Content(self.content(path)?)))
    }
}

struct Content(Arc<[u8]>);

impl RandomAccessFile for Content {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.0.get(start..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
