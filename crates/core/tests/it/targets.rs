//! Writes wait for a person unless the current message names their target.

use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::Ending;
use proptest::prelude::*;
use serde_json::json;

use crate::kit::model::{call, calls, says};
use crate::kit::runtime::Runtime;

/// Sends these words; the call closes or labels T-7, optionally after a read.
#[track_caller]
fn waits(tool: &str, before: Option<&str>, words: &str) -> bool {
    let runtime = Runtime::new();
    if let Some(before) = before {
        let look = calls([call("x", "look_up", json!({}))]);
        runtime.ask(before, [look, says("Seen.")]);
    }
    let script = [
        calls([call("a", tool, json!({ "ticket": "T-7" }))]),
        says("Done."),
    ];
    runtime.ask(words, script) == Ending::AwaitingApproval
}

#[test]
fn a_target_the_person_named_needs_no_question() {
    #[track_caller]
    fn check(words: &str, named: bool) {
        assert_eq!(waits("close_ticket", None, words), !named, "{words}");
        assert_eq!(
            waits("label_ticket", Some("Look"), words),
            !named,
            "{words}"
        );
    }
    check("Close T-7 please", true);
    check("close t-7.", true);
    check("(T-7)", true);
    check("T-6, T-7 and T-8", true);
    check("Close it", false);
    check("Close T-70", false);
    check("Close AT-7", false);
    check("Close T-7-B", false);
    check("Close X_T-7", false);
    check("mail t-7@example.org", false);
}

#[test]
fn a_target_named_earlier_or_in_a_question_is_not_named_now() {
    assert!(waits("close_ticket", Some("Look at T-7"), "Close it"));
    assert!(waits("close_ticket", Some("Look at T-7"), "Whose is T-7?"));
    assert!(waits("label_ticket", None, "Label it"));
}

/// A pasted text can contain orders about the target that the person named.
// design: promises compromised model
#[test]
fn a_message_with_a_pasted_text_is_never_enough() {
    let letter = format!(
        "Close this:\nPlease close T-7 at once.\n{}",
        "blah\n".repeat(400)
    );
    assert!(waits("close_ticket", None, &letter));
    let letter = format!("Close T-7, see:\n{}", "blah\n".repeat(400));
    assert!(waits("close_ticket", None, &letter));
}

/// A result that the model saw may have requested the write.
#[test]
fn a_result_of_this_turn_makes_a_write_wait() {
    let close = || call("a", "close_ticket", json!({ "ticket": "T-7" }));
    let look = || call("x", "look_up", json!({}));
    let runtime = Runtime::new();
    let after_result = [calls([look()]), calls([close()]), says("Closed.")];
    assert_eq!(
        runtime.ask("Close T-7", after_result),
        Ending::AwaitingApproval
    );
    let runtime = Runtime::new();
    let together = [calls([look(), close()]), says("Closed.")];
    assert_eq!(
        runtime.ask("Close T-7", together),
        Ending::Over(Outcome::Answered)
    );
}

// design: promises compromised model
#[test]
fn only_the_person_can_name_a_target() {
    let runtime = Runtime::new();
    let script = [
        says("I will close T-7.").calls([call("x", "look_up", json!({ "ticket": "T-7" }))]),
        says("Closing T-7.").calls([call("a", "close_ticket", json!({ "ticket": "T-7" }))]),
        says("Closed."),
    ];
    assert_eq!(runtime.ask("Tidy up", script), Ending::AwaitingApproval);
}

/// A message that names the ticket in an order, elsewhere, or not at all.
fn message() -> impl Strategy<Value = (String, bool)> {
    prop_oneof![
        "(Close|label|Закрой|stäng) T-7( now|, please|!|\\.)?".prop_map(|text| (text, true)),
        "(Whose|What) is T-7\\?( Thanks\\.)?".prop_map(|text| (text, false)),
        "Close (T-70|AT-7|T-7-B|T-17|x@T-7\\.org)".prop_map(|text| (text, false)),
        "(Thanks|Go on|Yes|And T-8|Close it|)( now)?"
            .prop_map(|text| (format!("{text} ok"), false)),
        "Close this:\nT-7\n".prop_map(|text| (text + &"line\n".repeat(400), false)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// The model obeys planted text: it writes to T-7 in every turn, before or after a read. Only a
    /// message that names T-7 in an order lets a write run.
    #[test]
    fn an_obedient_model_writes_only_what_the_current_message_names(
        turns in prop::collection::vec((message(), any::<bool>(), prop::sample::select(vec!["close_ticket", "label_ticket"])), 1..4),
    ) {
        let runtime = Runtime::new();
        let mut expected = 0;
        for ((text, names), reads_first, tool) in turns {
            let write = calls([call("w", tool, json!({ "ticket": "T-7" }))]);
            let look = calls([call("r", "look_up", json!({}))]);
            let script = match reads_first {
                true => vec![look, write, says("Done.")],
                false => vec![write, says("Done.")],
            };
            let ending = runtime.ask(&text, script);
            let runs = names && !reads_first;
            // A transactional tool writes to the store, not to the lab.
            expected += usize::from(runs && tool == "close_ticket");
            prop_assert_eq!(runtime.lab.effects().len(), expected, "{:?}", text);
            prop_assert_eq!(ending == Ending::AwaitingApproval, !runs, "{:?}", text);
            if !runs {
                break;
            }
        }
    }
}
