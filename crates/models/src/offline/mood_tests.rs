//! Orders are told from questions, conditions, denials and reports; talk from requests.

use super::*;

#[test]
fn talk_that_asks_for_nothing_is_told_from_requests() {
    for (raw, talk) in [
        ("hi there!", Some(Talk::Greeting)),
        ("Hello, how are you?", Some(Talk::Greeting)),
        ("спасибо большое", Some(Talk::Thanks)),
        ("ok, thanks", Some(Talk::Thanks)),
        ("vad kan du göra?", Some(Talk::Help)),
        ("what can you do for me", Some(Talk::Help)),
        ("bist du ein Mensch?", Some(Talk::Identity)),
        ("auf Wiedersehen", Some(Talk::Bye)),
        ("hi, show my notifications", None),
        ("thanks, now print it all", None),
        ("help me approve GP-2026-0007", None),
    ] {
        assert_eq!(small_talk(&Text::new(raw)), talk, "{raw}");
    }
}

#[test]
fn a_request_may_look_like_a_question() {
    for (raw, question) in [
        ("could you approve it?", false),
        ("can you please print it?", false),
        ("можешь одобрить?", false),
        ("was it approved?", true),
        ("should I approve it", true),
        ("who approved it", true),
        ("approve it?", true),
        ("approve it", false),
        ("do not approve it", false),
    ] {
        assert_eq!(is_question(&Text::new(raw)), question, "{raw}");
    }
}

#[test]
fn only_a_cancel_of_its_own_cancels() {
    for (raw, cancels) in [
        ("cancel", true),
        ("never mind, thanks", true),
        ("отмена", true),
        ("cancel GP-2026-0007", false),
        ("stop the delivery", false),
    ] {
        assert_eq!(is_cancel(&Text::new(raw)), cancels, "{raw}");
    }
}
