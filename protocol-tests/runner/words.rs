//! Comparisons and escapes inside a step.

/// Checks a comparison of sums of integers: `A <= B`, `A >= B`, `A < B`, `A > B`, `A = B`.
pub fn check(text: &str) -> Result<(), String> {
    // The longer signs come first, because `<=` contains `<`.
    for sign in ["<=", ">=", "<", ">", "="] {
        let Some((left, right)) = text.split_once(sign) else {
            continue;
        };
        let (left, right) = (sum(left)?, sum(right)?);
        let holds = match sign {
            "<=" => left <= right,
            ">=" => left >= right,
            "<" => left < right,
            ">" => left > right,
            _ => left == right,
        };
        return if holds {
            Ok(())
        } else {
            Err(format!("`{text}` does not hold"))
        };
    }
    Err(format!("`{text}` compares nothing"))
}

fn sum(text: &str) -> Result<i64, String> {
    text.split('+')
        .map(|term| {
            let term = term.trim();
            term.parse::<i64>()
                .map_err(|_| format!("`{term}` is no number"))
        })
        .sum()
}

/// Converts `\n`, `\r`, `\t`, `\0`, `\\` and `\xHH` into bytes.
pub fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        if next != '\\' {
            let mut buffer = [0; 4];
            bytes.extend_from_slice(next.encode_utf8(&mut buffer).as_bytes());
            continue;
        }
        match rest.next() {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some('0') => bytes.push(0),
            Some('\\') => bytes.push(b'\\'),
            Some('x') => {
                let digits: String = rest.by_ref().take(2).collect();
                let byte = u8::from_str_radix(&digits, 16)
                    .map_err(|_| format!("`\\x{digits}` is no byte"))?;
                bytes.push(byte);
            }
            other => return Err(format!("unknown escape {other:?}")),
        }
    }
    Ok(bytes)
}
