//! Calls `samples`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gaur_fuzz::samples::run(bytes));
