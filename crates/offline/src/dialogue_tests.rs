//! Tests of `dialogue`.

use super::*;

#[test]
fn handles_are_taken_out_of_the_words() {
    let message =
        PersonMessage::read("Exit for GP-1, photo attached\n[file:2, a.jpg, image/jpeg, 9 bytes]");
    assert_eq!(message.text, "Exit for GP-1, photo attached");
    assert_eq!(message.files, [2]);
    let message = PersonMessage::read("My notes:\n\n[text:1, 2000 characters]\nfirst\n[…]\nlast");
    assert_eq!(
        (message.text.as_str(), message.texts.as_slice()),
        ("My notes:", &[1][..])
    );
}

#[test]
fn a_handle_within_a_line_belongs_to_the_words() {
    for said in [
        "[text:x] and [file:",
        "lend [text:1, 9 characters] the drill [file:2, a.jpg] to Ann",
        "lend\n [text:1, 9 characters] the drill",
    ] {
        let expected = PersonMessage {
            text: said.to_owned(),
            ..PersonMessage::default()
        };
        assert_eq!(PersonMessage::read(said), expected);
    }
}

#[test]
fn a_text_follows_a_colon_or_the_first_line() {
    let message = PersonMessage::read("Check this ad: We want a young, aggressive rockstar.");
    assert_eq!(
        message.parted(),
        Some(("Check this ad", "We want a young, aggressive rockstar."))
    );
    let message = PersonMessage::read("Check this ad\n\nWe want a young, aggressive rockstar.");
    assert_eq!(
        message.parted().unwrap().1,
        "We want a young, aggressive rockstar."
    );
    assert_eq!(PersonMessage::read("pass: Ali").parted(), None);
}

#[test]
fn long_messages_are_cut() {
    assert_eq!(
        PersonMessage::read(&"ж".repeat(100_000))
            .text
            .chars()
            .count(),
        LONGEST_CHARS
    );
}
