//! Feeds `server_text`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gaur_fuzz::server_text::run(bytes));
