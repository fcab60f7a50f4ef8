//! Tablebases: results compared with those of python-chess, and won endings played to the mate.
//!
//! `GAUR_SYZYGY` names a folder with all tables of three and four men. Without it, the tests use the tables with three
//! men of the repository, and the output states it.

mod endings;
mod folder;
mod results;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let trials = vec![
        Trial::ignorable_test("results::agree_with_python_chess", results::compare),
        Trial::test("endings::are_won_within_the_fifty_move_rule", endings::play),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
