//! A slip of the finger is put right, another word is not taken for one.

use super::*;

#[test]
fn slips_are_put_right_and_other_words_are_left_alone() {
    let mut vocabulary = Vocabulary::default();
    for word in [
        "approve",
        "reject",
        "back",
        "show",
        "notification",
        "passersedel",
        "pending",
    ] {
        vocabulary.add(word);
    }
    for (said, meant) in [
        ("aprove", Some("approve")),
        ("approev", Some("approve")),
        ("rejct", Some("reject")),
        ("shwo", Some("show")),
        ("notifcations", Some("notification")),
        ("passersedlarna", Some("passersedel")),
        ("bank", None),
        ("shop", None),
        ("banana", None),
        ("GP-1", None),
    ] {
        let found = vocabulary.nearest(said).map(|near| near.word);
        assert_eq!(found, meant, "{said}");
    }
}
