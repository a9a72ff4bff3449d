//! What a judge says and Diglot does all the same, each with its reason. Short on purpose.

/// A judge, what its finding begins with, and why it stands.
const EXCEPTIONS: &[(&str, &str, &str)] = &[(
    "REDbot",
    "STORE_PUBLIC_UNNECESSARY",
    "`public` says in words what the cache rule promises; caches in front of Diglot are meant to keep pages",
)];

/// Whether a finding is one of the exceptions.
pub fn excused(judge: &str, failure: &str) -> bool {
    EXCEPTIONS.iter().any(|(other, beginning, _)| *other == judge && failure.starts_with(beginning))
}

/// Prints the list.
pub fn print() {
    println!("excused:");
    for (judge, beginning, reason) in EXCEPTIONS {
        println!("  {judge}: {beginning}: {reason}");
    }
}
