//! Feeds `fuzzed::book`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gaur_fuzz::fuzzed::book::run(bytes));
