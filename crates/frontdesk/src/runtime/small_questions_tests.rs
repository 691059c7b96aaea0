//! Titles are short, and questions to the model are limited.

use super::*;

#[test]
fn a_title_is_the_first_clause() {
    let check = |text: &str, title: &str| assert_eq!(shortened(first_clause(text)), title);
    check(
        "Create a gate pass for Ali Khan, bank visit, he will be back",
        "Create a gate pass for Ali Khan",
    );
    check("Which passes are pending?", "Which passes are pending?");
    check("Hello, what can you do?", "Hello, what can you do?");
    check("Write the job ad.\nIn Swedish.", "Write the job ad");
    check(
        "What happens when the server crashes in the middle of a turn that writes something",
        "What happens when the server crashes in the middle of a…",
    );
}

#[test]
fn a_person_may_ask_so_many_small_questions_a_minute() {
    let questions = SmallQuestions::default();
    let now = DateTime::UNIX_EPOCH;
    let who = ProfileId::from_uuid(uuid::Uuid::nil());
    let admitted = (0..PER_MINUTE + 5).filter(|_| questions.admit(who, now));
    assert_eq!(admitted.count(), PER_MINUTE);
    assert!(questions.admit(who, now + TimeDelta::seconds(61)));
}
