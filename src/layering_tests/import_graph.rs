//! Finds groups of files that import each other, directly or through others.
//!
//! The graph has one node per source file. A file imports another one if its code names an item that the other one
//! defines: re-exports are followed to the definition, so a `mod.rs` that only declares and re-exports its submodules
//! imports none of them. Test code is left out.

use std::collections::{BTreeMap, BTreeSet};

use super::parsed_module::{Import, ModulePath, ParsedModule};

/// Imported item names by importing and imported module.
type Edges = BTreeMap<(ModulePath, ModulePath), BTreeSet<String>>;

/// Re-exports that are followed before a name counts as unresolved.
const MAX_REEXPORTS: usize = 16;

/// The place that a path leads to.
enum Target {
    Module(ModulePath),
    /// The module that defines the item of this name.
    Item(ModulePath, String),
}

/// The modules of a crate and the imports between them.
pub struct ImportGraph {
    modules: BTreeMap<ModulePath, ParsedModule>,
    edges: Edges,
}

/// Modules of which each imports, directly or through others, each other one.
pub struct Cycle {
    pub modules: Vec<ModulePath>,
    edges: Edges,
}

impl ImportGraph {
    /// Creates the graph of the source files of a crate.
    pub fn new<'a>(files: impl IntoIterator<Item = (ModulePath, &'a str)>) -> Self {
        let mut modules: BTreeMap<_, _> = files
            .into_iter()
            .map(|(path, text)| {
                let module = ParsedModule::new(&path, text);
                (path, module)
            })
            .collect();
        let mut test_modules = Vec::new();
        for (path, module) in &modules {
            test_modules.extend(module.test_modules.iter().map(|name| child(path, name)));
        }
        modules.retain(|path, _| !test_modules.iter().any(|test| path.starts_with(test)));
        let mut graph = Self {
            modules,
            edges: Edges::new(),
        };
        graph.edges = graph.find_edges();
        graph
    }

    /// Returns the number of pairs of modules of which one imports the other.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Returns the cycles between modules, each with all modules that belong to it.
    pub fn cycles(&self) -> Vec<Cycle> {
        let reachable: BTreeMap<_, _> = self
            .modules
            .keys()
            .map(|path| (path, self.reachable_from(path)))
            .collect();
        let mut cycles: Vec<Cycle> = Vec::new();
        for path in self.modules.keys() {
            if cycles.iter().any(|cycle| cycle.modules.contains(path)) {
                continue;
            }
            let modules: Vec<_> = self
                .modules
                .keys()
                .filter(|other| reachable[path].contains(other) && reachable[other].contains(path))
                .cloned()
                .collect();
            if modules.len() > 1 {
                let mut edges = self.edges.clone();
                edges.retain(|(from, to), _| modules.contains(from) && modules.contains(to));
                cycles.push(Cycle { modules, edges });
            }
        }
        cycles
    }

    /// Returns the modules that `start` imports, directly or through others.
    fn reachable_from(&self, start: &ModulePath) -> BTreeSet<&ModulePath> {
        let mut reachable = BTreeSet::new();
        let mut open = vec![start];
        while let Some(path) = open.pop() {
            for (from, to) in self.edges.keys() {
                if from == path && reachable.insert(to) {
                    open.push(to);
                }
            }
        }
        reachable
    }

    fn find_edges(&self) -> Edges {
        let mut edges = Edges::new();
        for (path, module) in &self.modules {
            let mut add = |target: Option<Target>| {
                if let Some(Target::Item(definition, item)) = target
                    && definition != *path
                {
                    let items: &mut BTreeSet<_> =
                        edges.entry((path.clone(), definition)).or_default();
                    items.insert(item);
                }
            };
            for import in &module.imports {
                let Some(name) = &import.name else {
                    for identifier in &module.identifiers {
                        add(self.resolve_through_glob(import, identifier, 0));
                    }
                    continue;
                };
                // A re-export alone is no use of the item.
                if !import.is_public || module.identifiers.contains(name) {
                    add(self.resolve(&import.scope, &import.path, 0));
                }
            }
            for (scope, segments) in &module.paths {
                add(self.resolve(scope, segments, 0));
            }
        }
        edges
    }

    /// Returns the target of a path that stands in the module `scope`; `None` if it is outside the crate.
    fn resolve(&self, scope: &[String], path: &[String], depth: usize) -> Option<Target> {
        if depth > MAX_REEXPORTS {
            return None;
        }
        let mut module = scope.to_vec();
        let mut rest = path;
        let mut is_relative = true;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => module.clear(),
                "self" => {}
                "super" => {
                    module.pop();
                }
                _ => break,
            }
            (rest, is_relative) = (others, false);
        }
        while let Some((name, others)) = rest.split_first() {
            let inner = child(&module, name);
            if self.modules.contains_key(&inner) {
                (module, rest, is_relative) = (inner, others, false);
                continue;
            }
            let file = self.file_of(&module)?;
            return match self.look_up(&file, name, depth) {
                Some(Target::Module(target)) => self.resolve(&target, others, depth + 1),
                None if is_relative => None,
                None => Some(Target::Item(file, name.clone())),
                item => item,
            };
        }
        Some(Target::Module(module))
    }

    /// Returns the target of a name that is not a submodule, as seen from inside a module.
    fn look_up(&self, path: &ModulePath, name: &str, depth: usize) -> Option<Target> {
        let module = &self.modules[path];
        let names = |import: &&Import| import.name.as_deref() == Some(name);
        if module.items.contains(name) {
            Some(Target::Item(path.clone(), name.to_owned()))
        } else if let Some(import) = module.imports.iter().find(names) {
            self.resolve(&import.scope, &import.path, depth + 1)
        } else {
            let globs = module.imports.iter().filter(|import| import.name.is_none());
            globs
                .filter_map(|glob| self.resolve_through_glob(glob, name, depth + 1))
                .next()
        }
    }

    /// Returns the target of a name if a glob import brings it into scope.
    fn resolve_through_glob(&self, glob: &Import, name: &str, depth: usize) -> Option<Target> {
        if depth > MAX_REEXPORTS {
            return None;
        }
        let Target::Module(module) = self.resolve(&glob.scope, &glob.path, depth + 1)? else {
            return None; // the variants of an enum
        };
        if self.modules.contains_key(&child(&module, name)) {
            return Some(Target::Module(child(&module, name)));
        }
        self.look_up(&self.file_of(&module)?, name, depth + 1)
    }

    /// Returns the module whose file contains a module, which may be inline.
    fn file_of(&self, module: &[String]) -> Option<ModulePath> {
        (0..=module.len())
            .rev()
            .map(|length| module[..length].to_vec())
            .find(|path| self.modules.contains_key(path))
    }
}

impl std::fmt::Display for Cycle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} modules import each other:", self.modules.len())?;
        for ((from, to), items) in &self.edges {
            let items = Vec::from_iter(items.iter().map(String::as_str)).join(", ");
            writeln!(f, "  {} -> {} ({items})", from.join("::"), to.join("::"))?;
        }
        Ok(())
    }
}

fn child(module: &[String], name: &str) -> ModulePath {
    let mut path = module.to_vec();
    path.push(name.to_owned());
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the cycles between files, each given as a module path and its text.
    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let path = |name: &str| name.split("::").map(str::to_owned).collect();
        let parent = (path("a"), "mod b; mod c;");
        let files = files.iter().map(|(name, text)| (path(name), *text));
        let cycles = ImportGraph::new([parent].into_iter().chain(files)).cycles();
        cycles.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_form_of_import_closes_a_cycle() {
        for import in [
            "use super::b::B;",
            "use crate::a::b::B;",
            "use crate::{x, a::{self, b::{B as C}}};",
            "use super::b::*; fn f() { B }",
            "use super::b; fn f(x: b::B) {}",
            "use super::*; fn f(x: b::B) {}",
            "fn f() { super::b::B::new() }",
            "mod inner { fn f() { super::super::b::B::new() } }",
            "fn f() { use super::b::B; }",
            "pub use super::b::B; fn f(b: B) {}",
            "#[cfg(not(test))] use super::b::B;",
        ] {
            let b = "use super::c::C; pub struct B;";
            let found = cycles(&[("a::b", b), ("a::c", &format!("{import} pub struct C;"))]);
            let expected = "2 modules import each other:\n  a::b -> a::c (C)\n  a::c -> a::b (B)\n";
            assert_eq!(found, [expected], "{import}");
        }
    }

    #[test]
    fn what_is_no_import_closes_no_cycle() {
        for text in [
            "pub use super::b::B;",
            "use std::fmt::B;",
            "// super::b::B\n/// [`super::b::B`]\nfn f() { \"super::b::B\" }",
            "#[cfg(test)] use super::b::{B};",
            "#[cfg(test)] mod tests { use super::super::b::B; }",
            "struct S { #[cfg(test)] b: super::b::B, x: u8 }",
            "pub(in super::b) fn f() {}",
        ] {
            let b = "use super::c::C; pub struct B;";
            let found = cycles(&[("a::b", b), ("a::c", &format!("{text} pub struct C;"))]);
            assert!(found.is_empty(), "{text}: {found:?}");
        }
    }

    #[test]
    fn parent_that_only_re_exports_closes_no_cycle() {
        let b = ("a::b", "pub struct B;");
        let c = ("a::c", "use super::B; pub struct C;");
        assert!(cycles(&[("a", "mod b; mod c; pub use {b::B, c::C};"), b, c]).is_empty());
        let parent = (
            "a",
            "mod b; mod c; pub use c::*; pub use b::B; fn f(c: C) {}",
        );
        assert!(cycles(&[parent, b, c]).is_empty());
    }

    #[test]
    fn parent_with_items_of_its_own_closes_a_cycle() {
        let parent = "mod b; pub use b::B; pub struct A { b: B }";
        let found = cycles(&[("a", parent), ("a::b", "use super::A; pub struct B;")]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn cycles_are_found_through_re_exports_and_other_files() {
        let files = [
            (
                "a",
                "mod b; mod c; mod d; mod e; pub use self::d::D as Named;",
            ),
            ("a::b", "use super::c::C; pub struct B;"),
            ("a::c", "use crate::a::Named; pub struct C;"),
            ("a::d", "use super::b::B; pub struct D;"),
            ("a::e", "use super::{b::B, c::C}; pub struct E;"),
        ];
        let found = cycles(&files);
        let expected = "3 modules import each other:\n  a::b -> a::c (C)\n  a::c -> a::d (D)\n  a::d -> a::b (B)\n";
        assert_eq!(found, [expected]);
        assert!(cycles(&files[..3]).is_empty());
    }

    #[test]
    fn test_modules_are_left_out() {
        let a = "#[cfg(test)] mod b; use self::b::B; pub struct A;";
        assert!(cycles(&[("a", a), ("a::b", "use super::A; pub struct B;")]).is_empty());
    }
}
