//! Documentation that lists settings or shows code stays true.

use std::path::{Path, PathBuf};

use frontdesk::config::example_file;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

// design: 000 client timeout
#[test]
fn the_example_file_lists_every_setting() {
    let expected = example_file(frontdesk_assistants::SETTINGS);
    let path = root().join("frontdesk.example.toml");
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        found, expected,
        "frontdesk.example.toml is not what the settings say; write the right side into it"
    );
}

/// The guide shows the files that are compiled and run here.
#[test]
fn the_guide_shows_the_files_as_they_are() {
    let guide = std::fs::read_to_string(root().join("docs/writing-an-assistant.md")).unwrap();
    let mut shown = 0;
    for part in guide.split("<!-- file: ").skip(1) {
        let (path, rest) = part.split_once(" -->\n```").unwrap();
        let (_, rest) = rest.split_once('\n').unwrap();
        let (code, _) = rest.split_once("\n```").unwrap();
        let file = root().join("examples/notes").join(path);
        let found = std::fs::read_to_string(&file).unwrap();
        assert_eq!(
            found.trim_end(),
            code,
            "docs/writing-an-assistant.md and {path} differ"
        );
        shown += 1;
    }
    assert!(shown >= 6, "only {shown} files are shown");
}
