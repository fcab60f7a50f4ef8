//! Replacement of the weights in their Rust source, without other changes.

use gaur::eval::Weights;

use super::model::WeightPairs;

/// Returns the source with each weight, written as `s(middlegame, endgame)`, replaced.
///
/// # Errors
/// If the source does not have the tables of this build.
pub(super) fn rewrite(source: &str, pairs: &WeightPairs) -> Result<String, String> {
    let mut tables = Vec::new();
    let mut first = 0;
    let mut weights = Weights::DEFAULT;
    weights.for_each_table(|name, list| {
        tables.push((name, first..first + list.len()));
        first += list.len();
    });
    let mut source = source.to_owned();
    for (name, numbers) in tables {
        let new_values = pairs
            .get(numbers)
            .ok_or_else(|| format!("no values for {name}"))?;
        let (start, end) = definition(&source, &format!("    {name}: "))
            .ok_or_else(|| format!("the table {name} is missing"))?;
        // A large table is one constant or several, defined further down.
        let constants: Vec<String> = constants(&source[start..end]);
        let beginnings = match constants.is_empty() {
            true => vec![format!("    {name}: ")],
            false => constants
                .iter()
                .map(|constant| format!("const {constant}: "))
                .collect(),
        };
        let mut values = new_values.iter();
        for beginning in beginnings {
            let (start, end) = definition(&source, &beginning)
                .ok_or_else(|| format!("the constant of {name} is missing"))?;
            let new = replace(&source[start..end], &mut values)
                .ok_or_else(|| format!("{name} has more than {} values", new_values.len()))?;
            source.replace_range(start..end, &new);
        }
        if values.next().is_some() {
            return Err(format!("{name} has fewer than {} values", new_values.len()));
        }
    }
    Ok(source)
}

/// Returns start and end of the value in the definition that begins with this text.
fn definition(source: &str, beginning: &str) -> Option<(usize, usize)> {
    let line = format!("\n{beginning}");
    let at = source.find(&line)? + line.len();
    let start = at + source[at..].find(" =")? + 2;
    // A type may contain a semicolon; a value does not.
    let end = start + source[start..].find(';')?;
    Some((start, end))
}

/// Returns the names of the constants in a value.
fn constants(value: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
    value
        .split(|c: char| !is_part(c))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns the text with the next value in each `s(a, b)`; `None` if there are too few values.
fn replace<'a>(text: &str, values: &mut impl Iterator<Item = &'a [f64; 2]>) -> Option<String> {
    let mut new = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("s(") {
        let end = at + rest[at..].find(')')?;
        let [middlegame, endgame] = values.next()?;
        new.push_str(&rest[..at]);
        new.push_str(&format!("s({middlegame:.0}, {endgame:.0})"));
        rest = &rest[end + 1..];
    }
    new.push_str(rest);
    // Rounding can result in -0.
    Some(new.replace("(-0,", "(0,").replace(" -0)", " 0)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = include_str!("../../../../src/eval/classical/weights.rs");

    #[test]
    fn old_values_give_the_old_source() {
        let pairs = Weights::DEFAULT.to_pairs();
        assert!(rewrite(SOURCE, &pairs).unwrap() == SOURCE);
    }

    #[test]
    fn every_value_replaces_one_weight() {
        let pairs: WeightPairs = (0..Weights::DEFAULT.to_pairs().len())
            .map(|number| [number as f64, -0.2])
            .collect();
        let new = rewrite(SOURCE, &pairs).unwrap();
        let values: Vec<&str> = new.split("s(").skip(2).collect();
        assert_eq!(new.lines().count(), SOURCE.lines().count());
        assert!(values.len() >= pairs.len());
        for number in 0..pairs.len() {
            assert_eq!(
                new.matches(&format!("s({number}, 0)")).count(),
                1,
                "{number}"
            );
        }
        assert!(new.contains("bishop_pair: V = s(6, 0);"));
    }

    #[test]
    fn another_source_is_refused() {
        let pairs = Weights::DEFAULT.to_pairs();
        assert!(rewrite("fn main() {}", &pairs).is_err());
        let start = SOURCE.find("material: [V; 6]").unwrap();
        let pawn = start + SOURCE[start..].find("s(").unwrap();
        let (before, after) = SOURCE.split_at(pawn);
        let (_, without) = after.split_once("), ").unwrap();
        assert!(rewrite(&format!("{before}{without}"), &pairs).is_err());
        assert!(rewrite(&format!("{before}s(1, 1), {after}"), &pairs).is_err());
    }
}
