//! Splits Rust source code into tokens, as far as finding imports needs it.

/// Returns the identifiers, numbers and punctuation of Rust code. `::` is one token, other punctuation is one character
/// each. Comments, strings, characters and lifetimes are left out.
pub fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(length) = length_of_comment_or_literal(rest) {
            length
        } else if first.is_alphanumeric() || first == '_' {
            let length = length_while(rest, |c| c.is_alphanumeric() || c == '_');
            tokens.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of the comment, string, character or lifetime at the start of the code, or `None` if there is
/// none.
fn length_of_comment_or_literal(code: &str) -> Option<usize> {
    if code.starts_with("//") {
        return Some(length_while(code, |c| c != '\n'));
    }
    if code.starts_with("/*") {
        return Some(length_of_block_comment(code));
    }
    let prefix = ["br", "cr", "r", "b", "c"]
        .into_iter()
        .find(|prefix| code.starts_with(prefix));
    let literal = &code[prefix.map_or(0, str::len)..];
    let length = if literal.starts_with(['"', '#']) && prefix.is_some_and(|p| p.ends_with('r')) {
        length_of_raw_string(literal)?
    } else if literal.starts_with('"') {
        length_to_closing(literal, '"')
    } else if literal.starts_with('\'') {
        length_of_character_or_lifetime(literal)
    } else {
        return None;
    };
    Some(code.len() - literal.len() + length)
}

fn length_of_block_comment(code: &str) -> usize {
    let mut depth = 0;
    for index in 0..code.len() {
        let rest = &code.as_bytes()[index..];
        if rest.starts_with(b"/*") {
            depth += 1;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            if depth == 0 {
                return index + 2;
            }
        }
    }
    code.len()
}

/// Returns the length of a raw string without its `r`, or `None` for a raw identifier.
fn length_of_raw_string(literal: &str) -> Option<usize> {
    let hashes = length_while(literal, |c| c == '#');
    let text = literal[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", &literal[..hashes]);
    let length = text
        .find(&end)
        .map_or(text.len(), |start| start + end.len());
    Some(hashes + 1 + length)
}

fn length_of_character_or_lifetime(literal: &str) -> usize {
    let mut characters = literal[1..].chars();
    let (first, second) = (characters.next(), characters.next());
    if first == Some('\\') || second == Some('\'') {
        length_to_closing(literal, '\'')
    } else {
        1 + length_while(&literal[1..], |c| c.is_alphanumeric() || c == '_')
    }
}

/// Returns the length of a literal up to its closing quote, which a backslash can escape.
fn length_to_closing(literal: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (index, character) in literal.char_indices().skip(1) {
        if character == quote && !is_escaped {
            return index + character.len_utf8();
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    literal.len()
}

/// Returns the length in bytes of the longest prefix whose characters all fit.
fn length_while(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|c| !fits(c)).unwrap_or(text.len())
}

#[test]
fn comments_and_literals_are_left_out() {
    let code = r##"
        use a::b; // not::this
        /* nor /* nested */ this */ fn f<'a>(x: &'a str) -> char {
            g("no \" text", r#"no "raw" text"#, b"bytes", 'c', '\'', b'\\', 'é')
        }
    "##;
    let expected = "use a :: b ; fn f < > ( x : & str ) - > char { g ( , , , , , , ) }";
    assert_eq!(tokens(code).join(" "), expected);
}

#[test]
fn identifiers_may_begin_like_raw_strings() {
    assert_eq!(
        tokens("r#type rb br brx 'r"),
        ["r", "#", "type", "rb", "br", "brx"]
    );
}
