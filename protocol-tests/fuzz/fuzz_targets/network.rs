//! Feeds `fuzzed::network`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gaur_fuzz::fuzzed::network::run(bytes));
