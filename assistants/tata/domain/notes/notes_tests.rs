//! Real notes are messy: each fixture says what a careful reader would find in it.

use std::path::PathBuf;

use super::read;
use crate::tata::domain::test_desk::library;

fn list(head: &str, key: &str) -> Option<Vec<String>> {
    let line = head
        .lines()
        .find_map(|l| l.strip_prefix(&format!("{key}:")))?;
    Some(
        line.split(" | ")
            .map(|s| s.trim().to_owned())
            .filter(|s| !s.is_empty())
            .collect(),
    )
}

#[test]
fn every_fixture_is_read_as_expected() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tata/domain/fixtures/notes");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 12, "at least twelve sample notes");
    let mut failures = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let (head, notes) = text.split_once("---\n").unwrap();
        let reading = read(notes, library().reader());
        let four: Vec<String> = reading.musts.iter().take(4).cloned().collect();
        let musts = list(head, "must").or_else(|| list(head, "error")).unwrap();
        let extra = reading
            .musts
            .iter()
            .skip(4)
            .chain(&reading.nices)
            .cloned()
            .collect::<Vec<_>>();
        for (what, expected, found) in [
            ("must", Some(musts), four),
            ("nice", list(head, "nice"), extra),
            (
                "responsibilities",
                list(head, "responsibilities"),
                reading.responsibilities.clone(),
            ),
        ] {
            if expected.as_ref().is_some_and(|e| *e != found) {
                let name = file.file_name().unwrap().to_string_lossy().into_owned();
                failures.push(format!(
                    "{name} {what}\n  expected {:?}\n  found    {found:?}",
                    expected.unwrap_or_default()
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
