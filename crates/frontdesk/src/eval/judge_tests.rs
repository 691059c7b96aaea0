//! Correct results, and wrong writes.

use bytes::Bytes;
use frontdesk_core::tool::{ToolDef, ToolSpec};

use super::*;

fn offer() -> Offer {
    let delete = ToolDef {
        name: "delete".into(),
        parameters: json!({ "type": "object", "properties": { "number": { "type": "string" } } }),
        spec: ToolSpec::at_most_once("Delete a thing.").example("Delete it", json!({})),
    };
    Offer {
        json: Bytes::new(),
        tools: vec![delete],
        elsewhere: Vec::new(),
        phrasings: std::sync::Arc::default(),
    }
}

fn called(number: &str) -> MessageResult {
    MessageResult {
        calls: vec![("delete".to_owned(), json!({ "number": number }))],
        text: "Done.".to_owned(),
        ..MessageResult::default()
    }
}

fn rules(offer: &Offer) -> JudgeContext<'_> {
    JudgeContext {
        offer,
        may_write: true,
        next: None,
    }
}

/// An incomplete form of a write counts as a question only if the next message completes it.
#[test]
fn an_incomplete_form_is_a_question_if_the_next_message_completes_it() {
    let offer = offer();
    let next = turn("say = 'A-1'\ncalls = [{ tool = 'delete', with = { number = 'A-1' } }]");
    let form = MessageResult {
        calls: vec![("delete".to_owned(), json!({}))],
        ..MessageResult::default()
    };
    let proposing = JudgeContext {
        may_write: false,
        next: Some(&next),
        ..rules(&offer)
    };
    let asked = turn("say = 'I want to delete one'");
    let judged = judge(&asked, proposing, &form);
    assert!(judged.tools && judged.problems.is_empty(), "{judged:?}");
    let unasked = JudgeContext {
        next: None,
        ..proposing
    };
    let judged = judge(&asked, unasked, &form);
    assert!(!judged.tools && judged.wrong_writes == 0, "{judged:?}");
    let judged = judge(&asked, rules(&offer), &form);
    assert_eq!(judged.wrong_writes, 1);
}

fn turn(toml: &str) -> Turn {
    toml::from_str(toml).unwrap()
}

fn problems(toml: &str, result: &MessageResult) -> Vec<String> {
    judge(&turn(toml), rules(&offer()), result).problems
}

#[test]
fn an_unexpected_write_is_a_wrong_write() {
    let asked = "say = 'Delete it'\ncalls = [{ tool = 'delete', with = { number = 'A-1' } }]";
    let right = judge(&turn(asked), rules(&offer()), &called("a-1"));
    assert!(right.problems.is_empty(), "{right:?}");
    assert!(right.tools && right.arguments && right.like_example);

    let other = judge(&turn(asked), rules(&offer()), &called("A-2"));
    assert!(other.tools && !other.arguments);
    assert_eq!(other.wrong_writes, 1);

    let unasked = judge(&turn("say = 'thanks'"), rules(&offer()), &called("A-1"));
    assert_eq!((unasked.tools, unasked.wrong_writes), (false, 1));
    assert_eq!(unasked.problems[0], "WRONG WRITE");
}

#[test]
fn free_words_are_matched_within_bounds() {
    let like = |matcher: &str| {
        format!("say = 'x'\ncalls = [{{ tool = 'delete', like = {{ number = {matcher} }} }}]")
    };
    for matcher in [
        "{ contains = 'a-' }",
        "{ one_of = ['A-1', 'A-2'] }",
        "{ any = true }",
    ] {
        assert_eq!(
            problems(&like(matcher), &called("A-1")),
            [""; 0],
            "{matcher}"
        );
    }
    for matcher in ["{ contains = 'b' }", "{ one_of = ['A-3'] }"] {
        assert_eq!(
            problems(&like(matcher), &called("A-1")).len(),
            2,
            "{matcher}"
        );
    }
    // An unexpected argument is wrong; a missing optional one is not.
    let more = "say = 'x'\ncalls = [{ tool = 'delete', like = { other = { any = false } } }]";
    assert_eq!(problems(more, &called("A-1")).len(), 2);
    let missing = "say = 'x'\ncalls = [{ tool = 'delete', with = { number = 'A-1' }, like = { other = { any = false } } }]";
    assert_eq!(problems(missing, &called("A-1")), [""; 0]);
}

#[test]
fn facts_sources_and_forbidden_calls_are_checked() {
    let result = MessageResult {
        text: "The lease lasts 20 seconds [1].".to_owned(),
        cited: vec!["http://localhost/sources/web/concepts/leases.md#time".to_owned()],
        ..MessageResult::default()
    };
    let good = "say = 'x'\nsays = ['TWENTY|20 seconds']\nsays_not = ['30 s']\ncites = ['concepts/leases.md']";
    assert_eq!(problems(good, &result), [""; 0]);
    let bad = "say = 'x'\nsays = ['an hour']\nsays_not = ['20|forty']\ncites = ['other.md']";
    let expected = [
        "did not say \"an hour\"",
        "said \"20|forty\"",
        "did not cite other.md",
    ];
    assert_eq!(problems(bad, &result), expected);
    let forbidden =
        "say = 'x'\ncalls = [{ tool = 'delete', with = { number = 'A-1' } }]\nnever = ['delete']";
    let found = problems(forbidden, &called("A-1"));
    assert_eq!(found, ["called delete, which is forbidden here"]);
}

#[test]
fn a_model_that_does_not_answer_has_failed() {
    let result = MessageResult {
        failure: Some("it is down".to_owned()),
        ..MessageResult::default()
    };
    assert_eq!(problems("say = 'x'", &result), ["no answer: it is down"]);
}
