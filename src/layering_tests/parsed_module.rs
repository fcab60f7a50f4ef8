//! Reads the items, imports and paths of a source file.

use std::collections::BTreeSet;

use super::rust_tokens::tokens;

/// Path of a module below the crate root, such as `["search", "controller"]`.
pub type ModulePath = Vec<String>;

/// A name that a `use` declaration brings into a module.
#[derive(Debug)]
pub struct Import {
    /// Module in which the declaration stands, inline modules included.
    pub scope: ModulePath,
    pub path: Vec<String>,
    /// Name in the importing module; `None` for a glob.
    pub name: Option<String>,
    pub is_public: bool,
}

/// The parts of a source file that matter for imports.
#[derive(Default, Debug)]
pub struct ParsedModule {
    pub items: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Paths in the code outside `use` declarations, with the module in which they stand.
    pub paths: Vec<(ModulePath, Vec<String>)>,
    /// Identifiers in the code outside `use` declarations, except methods and fields.
    pub identifiers: BTreeSet<String>,
    /// Submodules that exist in test builds only.
    pub test_modules: Vec<String>,
}

impl ParsedModule {
    /// Reads the source text of the module `path`.
    pub fn new(path: &[String], text: &str) -> Self {
        Parser::new(path, text).parse()
    }
}

/// Reads one source file.
struct Parser {
    tokens: Vec<String>,
    position: usize,
    /// Current module, inline modules included.
    scope: ModulePath,
    /// Brace depths at which the current inline modules began.
    inline: Vec<usize>,
    depth: usize,
    module: ParsedModule,
}

impl Parser {
    fn new(path: &[String], text: &str) -> Self {
        Self {
            tokens: tokens(text),
            position: 0,
            scope: path.to_vec(),
            inline: Vec::new(),
            depth: 0,
            module: ParsedModule::default(),
        }
    }

    fn parse(mut self) -> ParsedModule {
        let mut is_public = false;
        while !self.peek(0).is_empty() {
            let token = self.take();
            match token.as_str() {
                "pub" => {
                    is_public = true;
                    if self.peek(0) == "(" {
                        self.skip_brackets();
                    }
                    continue;
                }
                "#" => self.parse_attribute(),
                "use" => self.parse_use(Vec::new(), is_public),
                "mod" if self.peek(1) == "{" => {
                    let name = self.take();
                    self.scope.push(name);
                    self.inline.push(self.depth);
                }
                "{" => self.depth += 1,
                "}" => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.inline.last() == Some(&self.depth) {
                        self.inline.pop();
                        self.scope.pop();
                    }
                }
                "macro_rules" => self.define(1),
                "struct" | "enum" | "trait" | "type" | "union" | "static" | "const" | "fn" => {
                    self.define(0);
                }
                _ if is_identifier(&token) => self.parse_path(token),
                _ => {}
            }
            is_public = false;
        }
        self.module
    }

    /// Notes the item whose name is `offset` tokens ahead, if it stands outside functions and implementations.
    fn define(&mut self, offset: usize) {
        let module_depth = self.inline.last().map_or(0, |depth| depth + 1);
        if self.depth == module_depth && is_identifier(self.peek(offset)) {
            let name = self.peek(offset).to_owned();
            self.module.items.insert(name);
        }
    }

    /// Skips an attribute, and the item behind it if that is test code.
    fn parse_attribute(&mut self) {
        let start = self.position;
        if self.peek(0) == "!" {
            self.take();
        }
        self.skip_brackets();
        let contains = |word| self.tokens[start..self.position].iter().any(|t| t == word);
        if contains("cfg") && contains("test") && !contains("not") {
            self.skip_item();
        }
    }

    fn skip_item(&mut self) {
        while self.peek(0) == "#" {
            self.take();
            self.skip_brackets();
        }
        if self.peek(0) == "pub" {
            self.take();
            if self.peek(0) == "(" {
                self.skip_brackets();
            }
        }
        if self.peek(0) == "mod" && self.peek(2) == ";" {
            let name = self.peek(1).to_owned();
            self.module.test_modules.push(name);
        }
        let is_use = self.peek(0) == "use";
        let is_item = matches!(
            self.peek(0),
            "use" | "mod" | "fn" | "impl" | "struct" | "enum" | "trait" | "type" | "const"
        );
        loop {
            match self.peek(0) {
                "" | "}" => return, // the end of a block whose last part this was
                "{" => {
                    self.skip_brackets();
                    if !is_use {
                        return;
                    }
                }
                "(" | "[" => self.skip_brackets(),
                ";" => {
                    self.take();
                    return;
                }
                "," if !is_item => {
                    self.take(); // a field or a variant
                    return;
                }
                _ => {
                    self.take();
                }
            }
        }
    }

    /// Reads a `use` tree below `prefix`.
    fn parse_use(&mut self, prefix: Vec<String>, is_public: bool) {
        let mut path = prefix;
        let mut name = None;
        loop {
            match self.peek(0) {
                "{" => {
                    self.take();
                    while !matches!(self.peek(0), "}" | "") {
                        self.parse_use(path.clone(), is_public);
                        if self.peek(0) == "," {
                            self.take();
                        }
                    }
                    self.take();
                    return;
                }
                "*" => {
                    self.take();
                    return self.import(path, None, is_public);
                }
                "as" => {
                    self.take();
                    name = Some(self.take());
                }
                "::" => {
                    self.take();
                }
                token if is_identifier(token) => {
                    let segment = self.take();
                    path.push(segment);
                }
                _ => break,
            }
        }
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = name.or_else(|| path.last().cloned());
        self.import(path, name, is_public);
    }

    fn import(&mut self, path: Vec<String>, name: Option<String>, is_public: bool) {
        self.module.imports.push(Import {
            scope: self.scope.clone(),
            path,
            name,
            is_public,
        });
    }

    fn parse_path(&mut self, first: String) {
        let before = self
            .position
            .checked_sub(2)
            .map(|index| self.tokens[index].as_str());
        if before != Some(".") {
            self.module.identifiers.insert(first.clone());
        }
        let mut path = vec![first];
        while self.peek(0) == "::" && is_identifier(self.peek(1)) {
            self.take();
            let segment = self.take();
            path.push(segment);
        }
        if path.len() > 1 {
            self.module.paths.push((self.scope.clone(), path));
        }
    }

    /// Skips a group in brackets, which begins at the current token.
    fn skip_brackets(&mut self) {
        let mut depth = 0;
        loop {
            match self.take().as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "" => return,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn peek(&self, offset: usize) -> &str {
        self.tokens
            .get(self.position + offset)
            .map_or("", String::as_str)
    }

    /// Takes the next token; empty at the end.
    fn take(&mut self) -> String {
        let token = self.peek(0).to_owned();
        self.position += 1;
        token
    }
}

fn is_identifier(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
