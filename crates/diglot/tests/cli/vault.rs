//! A vault whose settings change while it is served.

use crate::cli::Desk;
use crate::cli::live::Served;

#[test]
fn a_running_server_follows_the_folder_of_templates_of_a_vault() {
    let settings = "site/.obsidian/templates.json";
    let desk = Desk::with(&[
        (settings, "{\"folder\": \"Forms\"}"),
        ("site/Note.md", "# Note\n\nWords."),
        ("site/Forms/Day.md", "# Day\n\nA form."),
        ("site/Ideas/Boat.md", "# Boat\n\nAn idea."),
    ]);
    let served = Served::start(&desk, "");
    let is_shown = |path: &str| served.get(path).starts_with("HTTP/1.1 200");
    assert!(!is_shown("/articles/Forms/Day.html"));
    assert!(is_shown("/articles/Ideas/Boat.html"));
    desk.write(settings, "{\"folder\": \"Ideas\"}");
    served.wait_for_answer("/articles/Forms/Day.html", "A form.");
    assert!(!is_shown("/articles/Ideas/Boat.html"));
}
