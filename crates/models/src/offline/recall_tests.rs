//! What was spoken of before is found again by name or by place, and never guessed.

use serde_json::json;

use super::super::dialogue::{Dialogue, Done, Entry, Said};
use super::*;

fn dialogue(results: &[Value]) -> Dialogue {
    let mut dialogue = Dialogue::of_message(Said::default());
    for result in results {
        dialogue.before.push(Entry::Call(Done {
            id: "1".to_owned(),
            name: "list".to_owned(),
            arguments: Map::new(),
            result: Some(result.to_string()),
        }));
    }
    dialogue
}

#[test]
fn a_name_in_another_case_is_the_known_one() {
    let dialogue = dialogue(&[
        json!([{"name": "Анна Петрова"}, {"name": "Борис Ким"}, {"name": "Марина Ли"}]),
    ]);
    let memory = Memory::new(&dialogue);
    for (said, known) in [
        ("Анну", Some("Анна Петрова")),
        ("Анне Петровой", Some("Анна Петрова")),
        ("Бориса", Some("Борис Ким")),
        ("Ольгу", None),
        ("Марию", None),
        ("Antonia", None),
    ] {
        assert_eq!(memory.known_name(said).as_deref(), known, "{said}");
    }
}

#[test]
fn two_people_of_one_name_are_not_told_apart() {
    let dialogue = dialogue(&[json!([{"name": "Анна Петрова"}, {"name": "Анна Ким"}])]);
    assert_eq!(Memory::new(&dialogue).known_name("Анну"), None);
}
