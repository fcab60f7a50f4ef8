//! Calls `games`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gaur_fuzz::games::run(bytes));
