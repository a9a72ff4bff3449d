#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| diglot_fuzz::same(diglot_fuzz::changes, input));
