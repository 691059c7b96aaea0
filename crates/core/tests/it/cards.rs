//! The contents of a card: object, buttons, sources of values, result.

use frontdesk_core::approval::{ApprovalCard, CardTarget, Decision};
use frontdesk_core::event::Event;
use frontdesk_core::origin::OriginSource;
use frontdesk_core::run::Ending;
use serde_json::{Value, json};

use crate::kit::model::{call, calls, says};
use crate::kit::runtime::{Runtime, hanna};

/// Optionally reads something, then requests to close a ticket.
fn asked(words: &str, read: Option<&str>, arguments: Value) -> (Runtime, ApprovalCard) {
    let runtime = Runtime::new();
    let look = read.map(|ticket| calls([call("x", "look_up", json!({ "ticket": ticket }))]));
    let close = calls([call("a", "close_ticket", arguments)]);
    let script = look.into_iter().chain([close, says("It is settled.")]);
    let ending = runtime.ask(words, script.collect::<Vec<_>>());
    assert_eq!(ending, Ending::AwaitingApproval, "{words}");
    let card = runtime.entries().into_iter().find_map(|entry| {
        let Event::ApprovalRequested { card } = entry.event else {
            return None;
        };
        Some(card)
    });
    (runtime, card.expect("a card"))
}

#[test]
fn a_card_names_its_object_and_its_buttons_carry_the_verb() {
    let (_, card) = asked("Is T-7 done?", None, json!({ "ticket": "T-7" }));
    assert_eq!(card.title, "Close ticket T-7");
    assert_eq!(
        (card.confirm.as_str(), card.decline.as_str()),
        ("Close the ticket", "Don't close the ticket")
    );
    let target = CardTarget {
        argument: "ticket".to_owned(),
        value: "T-7".to_owned(),
    };
    assert_eq!(card.target, Some(target));
    assert!(card.preview && !card.destructive);
    assert_eq!(card.origins, [], "typed in this message");

    let (_, unnamed) = asked("Close it", None, json!({}));
    assert_eq!(unnamed.title, "close ticket");
    assert_eq!((unnamed.target, unnamed.preview), (None, false));
}

#[test]
fn a_card_says_where_a_value_came_from() {
    let source = |words: &str, read: Option<&str>| {
        let (_, card) = asked(words, read, json!({ "ticket": "T-7" }));
        let mut origins = card.origins.into_iter();
        let origin = origins.next().expect("an origin");
        assert_eq!((origin.argument.as_str(), origins.next()), ("ticket", None));
        origin.source
    };
    assert_eq!(source("Close it", None), OriginSource::Model);
    let read = source("Close it", Some("T-7"));
    assert!(
        matches!(&read, OriginSource::Result { tool, .. } if tool == "look_up"),
        "{read:?}"
    );
}

#[test]
fn a_declined_card_says_who_declined_and_that_the_object_is_unchanged() {
    let (runtime, card) = asked("Is T-7 done?", None, json!({ "ticket": "T-7" }));
    runtime.decide(&hanna(), "a", Decision::Rejected).unwrap();
    runtime.resume();
    let finished = runtime.finished();
    assert_eq!(finished[0].summary, "Cancelled by Hanna. T-7 is unchanged.");
    assert_eq!(runtime.lab.effects(), [""; 0]);
    assert_eq!(
        card.cancelled(Some("Hanna"), Some("pending")),
        "Cancelled by Hanna. T-7 is still pending."
    );
}

/// The card of the executed call has the requester's changes.
#[test]
fn an_edited_card_names_the_other_object() {
    let (runtime, card) = asked("Close it", None, json!({ "ticket": "T-7" }));
    let edited = json!({ "ticket": "T-8" }).as_object().unwrap().clone();
    let edited = card.with_arguments(runtime.turn(), edited);
    assert_eq!(edited.title, "Close ticket T-8");
    assert_eq!(
        edited.target.map(|target| target.value).as_deref(),
        Some("T-8")
    );
    assert_eq!(edited.origins, []);
}
