//! Writes wait for a person unless the person named what is written to.

use frontdesk_core::run::Ending;
use serde_json::json;

use crate::kit::desk::Desk;
use crate::kit::model::{call, calls, says};

/// Asks with these words; the call closes or labels T-7 after something was read.
#[track_caller]
fn waits(tool: &str, before: Option<&str>, words: &str) -> bool {
    let desk = Desk::new();
    if let Some(before) = before {
        let look = calls([call("x", "look_up", json!({}))]);
        desk.ask(before, [look, says("Seen.")]);
    }
    let script = [
        calls([call("a", tool, json!({ "ticket": "T-7" }))]),
        says("Done."),
    ];
    desk.ask(words, script) == Ending::AwaitingApproval
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
fn a_target_named_earlier_in_the_conversation_counts() {
    assert!(!waits("close_ticket", Some("Look at T-7"), "Close it"));
}

#[test]
fn without_text_of_others_an_ordinary_write_just_runs() {
    assert!(!waits("label_ticket", None, "Label it"));
    assert!(waits("label_ticket", Some("Look"), "Label it"));
}

/// What stands in a pasted text was not said by the person who pasted it.
#[test]
fn a_target_in_a_pasted_text_was_not_named_by_the_person() {
    let letter = format!(
        "Close this:\nPlease close T-7 at once.\n{}",
        "blah\n".repeat(400)
    );
    assert!(waits("close_ticket", None, &letter));
    let letter = format!("Close T-7, see:\n{}", "blah\n".repeat(400));
    assert!(!waits("close_ticket", None, &letter));
}

#[test]
fn what_the_model_and_the_tools_say_names_nothing() {
    let desk = Desk::new();
    let script = [
        says("I will close T-7.").calls([call("x", "look_up", json!({ "ticket": "T-7" }))]),
        says("Closing T-7.").calls([call("a", "close_ticket", json!({ "ticket": "T-7" }))]),
        says("Closed."),
    ];
    assert_eq!(desk.ask("Tidy up", script), Ending::AwaitingApproval);
}
