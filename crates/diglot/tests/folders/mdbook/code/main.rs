use std::fmt;
fn main() {
    one();
    // ANCHOR: part
    two();
    // ANCHOR_END: part
}
