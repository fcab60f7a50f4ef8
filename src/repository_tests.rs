//! Tests of the repository as a whole: documentation and structure of the source. The published crate contains neither
//! the files that they read nor the tests.

mod documentation_tests;
mod layering_tests;
