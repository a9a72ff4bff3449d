#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| diglot_properties::request(input));
