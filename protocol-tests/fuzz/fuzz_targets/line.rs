//! Feeds `fuzzed::line`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gaur_fuzz::fuzzed::line::run(bytes));
