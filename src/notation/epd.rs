//! EPD records: a position and named operations, as in test suites and perft files.
//!
//! `FEN bm Qg6; id "WAC.001";` and `FEN ;D1 20 ;D2 400` are both understood; counters after the four
//! EPD fields and a missing last semicolon are no error.

use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, multispace0};
use nom::multi::{many0, separated_list0};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use super::error::{EpdError, excerpt};
use super::fen::{Fields, counter, read_fields};
use crate::board::Setup;

/// One line of an EPD file.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position, unchecked.
    pub setup: Setup,
    /// Operations on the position, in order.
    pub operations: Vec<Operation>,
}

/// An operation of an EPD record, such as `bm Nf3 Nc3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name, such as `bm`.
    pub opcode: String,
    /// Operands without quotation marks.
    pub operands: Vec<String>,
}

impl Epd {
    /// The operands of the first operation of this name; none if there is no such operation.
    pub fn operands(&self, opcode: &str) -> &[String] {
        let operation = self
            .operations
            .iter()
            .find(|operation| operation.opcode == opcode);
        operation.map_or(&[], |operation| &operation.operands)
    }

    /// Returns the best moves (`bm`) as text, which must be read in the position.
    pub fn best_moves(&self) -> &[String] {
        self.operands("bm")
    }

    /// The moves to avoid (`am`) as text.
    pub fn avoid_moves(&self) -> &[String] {
        self.operands("am")
    }

    /// The name of the position (`id`).
    pub fn id(&self) -> Option<String> {
        let operands = self.operands("id");
        (!operands.is_empty()).then(|| operands.join(" "))
    }

    /// The leaf counts of a perft file (`D1 20`), as pairs of depth and count.
    ///
    /// # Errors
    /// [`EpdError::BadPerftCount`] if a depth has no count.
    pub fn perft_counts(&self) -> Result<Vec<(u32, u64)>, EpdError> {
        let mut counts = Vec::new();
        for Operation { opcode, operands } in &self.operations {
            let Some(depth) = opcode
                .strip_prefix('D')
                .and_then(|depth| depth.parse().ok())
            else {
                continue;
            };
            let count = match operands.as_slice() {
                [count] => count.parse().ok(),
                _ => None,
            };
            let count = count.ok_or_else(|| EpdError::BadPerftCount(excerpt(opcode)))?;
            counts.push((depth, count));
        }
        Ok(counts)
    }
}

/// Reads an EPD record.
///
/// The operations `hmvc` and `fmvn` set the counters of the position.
///
/// # Errors
/// The first thing that is wrong, from left to right. Whether the moves named are legal is not asked.
pub fn parse_epd(line: &str) -> Result<Epd, EpdError> {
    let Fields {
        mut setup, rest, ..
    } = read_fields(line)?;
    let operations = read_operations(rest)?;
    for Operation { opcode, operands } in &operations {
        let slot = match opcode.as_str() {
            "hmvc" => &mut setup.halfmove_clock,
            "fmvn" => &mut setup.fullmove_number,
            _ => continue,
        };
        let number = match operands.as_slice() {
            [number] => counter(number),
            _ => None,
        };
        *slot = number.ok_or_else(|| EpdError::BadCounter(opcode.clone()))?;
    }
    setup.fullmove_number = setup.fullmove_number.max(1);
    Ok(Epd { setup, operations })
}

fn read_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let list = separated_list0(char(';'), delimited(multispace0, operation, multispace0));
    let read: IResult<&str, Vec<Operation>> = { list }.parse(text);
    let (rest, mut operations) = read.unwrap_or((text, Vec::new()));
    if rest.matches('"').count() % 2 == 1 {
        return Err(EpdError::UnclosedQuote);
    }
    if !rest.is_empty() {
        return Err(EpdError::BadOperation(excerpt(rest)));
    }
    operations.retain(|operation| !operation.opcode.is_empty());
    Ok(operations)
}

/// A name and its operands; both may be missing, as between two semicolons.
fn operation(text: &str) -> IResult<&str, Operation> {
    let (text, opcode) = take_while(is_word_letter).parse(text)?;
    if opcode.is_empty() {
        return Ok((
            text,
            Operation {
                opcode: String::new(),
                operands: Vec::new(),
            },
        ));
    }
    let (text, operands) = many0(preceded(multispace0, operand)).parse(text)?;
    let operands = operands.into_iter().map(str::to_owned).collect();
    Ok((
        text,
        Operation {
            opcode: opcode.to_owned(),
            operands,
        },
    ))
}

fn operand(text: &str) -> IResult<&str, &str> {
    let quoted = delimited(char('"'), take_while(|letter| letter != '"'), char('"'));
    alt((quoted, take_while1(is_word_letter))).parse(text)
}

fn is_word_letter(letter: char) -> bool {
    !letter.is_whitespace() && letter != ';' && letter != '"'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::FenError;

    const BARE: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

    #[test]
    fn a_best_move_record() {
        let epd = parse_epd(&format!(
            "{BARE} bm Qd1+ Kf2; am Ke1; id \"a; b\"; c0 \"\";"
        ))
        .unwrap();
        assert_eq!(epd.best_moves(), ["Qd1+", "Kf2"]);
        assert_eq!(epd.avoid_moves(), ["Ke1"]);
        assert_eq!(epd.id().as_deref(), Some("a; b"));
        assert_eq!(epd.operands("c0"), [""]);
        assert_eq!(epd.operations.len(), 4);
        assert_eq!(epd.setup.fullmove_number, 1);
    }

    #[test]
    fn a_perft_record() {
        for line in [" 0 1 ;D1 20 ;D2 400", ";D1 20;D2 400;", " ;D1 20 ; D2 400 "] {
            let epd = parse_epd(&format!("{BARE}{line}")).unwrap();
            assert_eq!(epd.perft_counts(), Ok(vec![(1, 20), (2, 400)]), "{line}");
        }
    }

    #[test]
    fn counters_may_be_operations() {
        let epd = parse_epd(&format!("{BARE} hmvc 7; fmvn 31;")).unwrap();
        assert_eq!(
            (epd.setup.halfmove_clock, epd.setup.fullmove_number),
            (7, 31)
        );
        let error = parse_epd(&format!("{BARE} hmvc x;")).unwrap_err();
        assert_eq!(error, EpdError::BadCounter("hmvc".into()));
    }

    #[test]
    fn each_error_has_its_name() {
        let error = |rest: &str| parse_epd(&format!("{BARE}{rest}")).unwrap_err();
        assert_eq!(error(" id \"open;"), EpdError::UnclosedQuote);
        assert_eq!(
            error(" \"bm\" Kf2;"),
            EpdError::BadOperation("\"bm\" Kf2;".into())
        );
        assert_eq!(
            parse_epd("").unwrap_err(),
            EpdError::Position(FenError::Empty)
        );
        let epd = parse_epd(&format!("{BARE} ;D1 many")).unwrap();
        assert_eq!(
            epd.perft_counts(),
            Err(EpdError::BadPerftCount("D1".into()))
        );
    }
}
