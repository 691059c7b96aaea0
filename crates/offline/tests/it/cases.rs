//! Conversations that must end in a safe and clear reply.

use frontdesk_core::model::Model;
use frontdesk_core::tool::ToolSpec;
use serde_json::json;

use super::support::{Chat, move_on, object, offer_of, only_call, tool};

#[test]
fn it_may_not_write_and_cannot_draft() {
    let chat = Chat::new();
    assert!(!chat.model.may_write());
    assert!(!chat.model.can_draft());
}

#[test]
fn an_aside_is_not_the_purpose() {
    let mut chat = Chat::new();
    let reply =
        chat.say("lend the drill to Ali Raza, he picks up parts, no return; and by the way Sana Mir is on leave");
    let (name, arguments) = only_call(&reply);
    assert_eq!(name, "lend_item");
    assert_eq!(arguments["borrower"], "Ali Raza");
    assert_eq!(arguments["returns"], false);
    let purpose = arguments["purpose"].as_str().unwrap();
    assert!(purpose.contains("picks up parts"), "{purpose}");
    assert!(!purpose.contains("leave"), "{purpose}");
}

#[test]
fn a_write_is_proposed_with_what_was_understood() {
    let mut chat = Chat::new();
    let (name, arguments) = only_call(&chat.say("please lend the drill to Tom Berg"));
    assert_eq!(
        (name.as_str(), &arguments),
        ("lend_item", &json!({ "borrower": "Tom Berg" }))
    );
}

#[test]
fn try_again_repeats_the_call_that_failed_and_nothing_else() {
    let mut chat = Chat::new();
    chat.result = "Error: The service is down".to_owned();
    let first = only_call(&chat.say("show loan LN-0007"));
    let again = only_call(&chat.say("try again"));
    assert_eq!(first, again);
    let mut fresh = Chat::new();
    let reply = fresh.say("try again");
    assert!(
        reply.calls.is_empty() && !reply.quick_replies.is_empty(),
        "{reply:?}"
    );
}

#[test]
fn no_after_a_request_does_nothing() {
    let mut chat = Chat::new();
    chat.say("cancel the loan for John");
    let reply = chat.say("no");
    assert!(reply.calls.is_empty(), "{reply:?}");
    assert!(
        reply.text.starts_with("All right, nothing was done."),
        "{}",
        reply.text
    );
}

#[test]
fn a_number_never_comes_from_another_request() {
    let mut chat = Chat::new();
    chat.say("show LN-0014");
    let reply = chat.say("cancel the one for Nadia Hussain");
    for call in &reply.calls {
        assert!(!call.arguments.contains("LN-0014"), "{call:?}");
    }
}

#[test]
fn it_means_the_last_thing_for_reads() {
    let mut chat = Chat::new();
    chat.say("please cancel LN-0014");
    assert_eq!(
        only_call(&chat.say("show it")).1,
        json!({ "number": "LN-0014" })
    );
}

#[test]
fn a_text_after_a_colon_is_the_text() {
    let mut chat = Chat::new();
    let reply = chat.say("Can you check this advert for biased wording: We want a young, aggressive rockstar who lends.");
    let (name, arguments) = only_call(&reply);
    assert_eq!(name, "check_advert");
    assert_eq!(
        arguments["text"],
        "We want a young, aggressive rockstar who lends."
    );
}

#[test]
fn a_pasted_text_is_named_by_its_handle() {
    let mut chat = Chat::new();
    let reply = chat.say(
        "check this advert for biased wording\n\n[text:3, 2000 characters]\nWe want\n[…]\nyou",
    );
    assert_eq!(only_call(&reply).1, json!({ "text": "text:3" }));
}

#[test]
fn a_list_says_which_words_it_would_ignore() {
    for (message, ignored) in [
        ("which loans are not lost", "not"),
        ("which loans are open except that of Tom", "except"),
        ("list the loans of the last 3 weeks", "3"),
        ("which loans vanished yesterday", "yesterday"),
    ] {
        let mut chat = Chat::new();
        let reply = chat.say(message);
        assert!(reply.calls.is_empty(), "{message}: {reply:?}");
        let named = reply.text.contains(&format!("“{ignored}”"));
        assert!(named, "{message}: {}", reply.text);
    }
}

#[test]
fn the_words_of_a_title_limit_nothing() {
    let phrasings = "
[list_counts]
list the counts
[list_counts: state=sold]
list the sold counts
[set_phase: phase=stock]
go on to stock
back to stock
";
    let properties = json!({ "state": { "type": "string", "enum": ["open", "sold"] } });
    let spec = ToolSpec::read("List what was counted.").title("List stock counts");
    let list = tool("list_counts", object(properties, &[]), spec);
    let mut chat = Chat::with(offer_of(vec![list, move_on()], Vec::new(), phrasings));
    let reply = chat.say("list the sold stock counts");
    assert_eq!(
        only_call(&reply).1,
        json!({ "state": "sold" }),
        "{}",
        reply.text
    );
}

#[test]
fn a_list_without_the_ignored_words_is_one_button_away() {
    let mut chat = Chat::new();
    let reply = chat.say("show the lost ones of the last 3 weeks");
    assert!(reply.text.contains(": lost"), "{}", reply.text);
    assert_eq!(reply.quick_replies, ["List loans"]);
    let (name, arguments) = only_call(&chat.say("List loans"));
    assert_eq!(name, "list_loans");
    assert_eq!(arguments, json!({ "state": "lost" }));
}

#[test]
fn days_stay_days() {
    let mut chat = Chat::new();
    let (name, arguments) = only_call(&chat.say("shelf report, time to fill 16 days"));
    assert_eq!(
        (name.as_str(), arguments),
        ("shelf_report", json!({ "time_to_fill": 16 }))
    );
}

#[test]
fn a_read_asks_for_what_is_missing_and_takes_the_answer() {
    let mut chat = Chat::new();
    let asked = chat.say("show a loan");
    assert!(
        asked.calls.is_empty() && asked.text.contains("“Show a loan”"),
        "{asked:?}"
    );
    assert!(!asked.text.contains('^'), "{}", asked.text);
    let (name, arguments) = only_call(&chat.say("it is ln-0042"));
    assert_eq!(
        (name.as_str(), arguments),
        ("show_loan", json!({ "number": "LN-0042" }))
    );
    chat.say("show a loan");
    let dropped = chat.say("never mind");
    assert!(dropped.calls.is_empty());
}

#[test]
fn a_title_selects_its_tool_and_the_message_before_it_gives_the_values() {
    let mut chat = Chat::new();
    let (name, _) = only_call(&chat.say("list loans"));
    assert_eq!(name, "list_loans");
    let mut chat = Chat::new();
    let unsure = chat.say("hmm LN-0031 zzz");
    if unsure.calls.is_empty() {
        assert_eq!(unsure.quick_replies.len(), 3, "{unsure:?}");
        let (name, arguments) = only_call(&chat.say("Show a loan"));
        assert_eq!(
            (name.as_str(), arguments),
            ("show_loan", json!({ "number": "LN-0031" }))
        );
    }
}

#[test]
fn a_statement_goes_to_the_tool_that_reads_words() {
    let mut chat = Chat::new();
    let (name, arguments) = only_call(&chat.say("we spend 15,000 a month on cleaning"));
    assert_eq!((name.as_str(), arguments), ("note_facts", json!({})));
}

#[test]
fn a_tool_of_another_role_is_explained_in_one_sentence() {
    let mut chat = Chat::new();
    let reply = chat.say("please start the audit of the stock");
    assert!(
        reply.text.starts_with("Only HR can audit the stock."),
        "{}",
        reply.text
    );
    assert!(!reply.text.contains("HR_User"));
}

#[test]
fn another_phase_is_one_click_away() {
    let mut chat = Chat::new();
    let reply = chat.say("sell the ladder to a customer");
    assert!(
        reply
            .text
            .contains("“Sell an item” belongs to the phase Sales."),
        "{}",
        reply.text
    );
    assert_eq!(reply.quick_replies, ["Go on to sales"]);
    let (name, arguments) = only_call(&chat.say("Go on to sales"));
    assert_eq!(
        (name.as_str(), arguments),
        ("set_phase", json!({ "phase": "sales" }))
    );
}

#[test]
fn it_introduces_itself_once() {
    let mut chat = Chat::new();
    let first = chat.say("hello");
    assert!(
        first.text.contains("without a language model"),
        "{}",
        first.text
    );
    assert!(first.text.contains("Lend an item"), "{}", first.text);
    let second = chat.say("hello");
    assert!(
        !second.text.contains("without a language model"),
        "{}",
        second.text
    );
}

#[test]
fn a_follow_up_changes_the_last_read() {
    let mut chat = Chat::new();
    assert_eq!(
        only_call(&chat.say("which loans are open")).1,
        json!({ "state": "open" })
    );
    assert_eq!(
        only_call(&chat.say("and the returned ones?")).1,
        json!({ "state": "returned" })
    );
}

#[test]
fn several_codes_make_several_calls() {
    let mut chat = Chat::new();
    let reply = chat.say("show LN-0001 and LN-0002");
    let arguments: Vec<&str> = reply
        .calls
        .iter()
        .map(|call| call.arguments.as_str())
        .collect();
    assert_eq!(
        arguments,
        [r#"{"number":"LN-0001"}"#, r#"{"number":"LN-0002"}"#]
    );
}

#[test]
fn it_answers_in_the_language_of_the_person() {
    let mut chat = Chat::new();
    let reply = chat.say("Что ты умеешь?");
    assert!(
        reply.text.starts_with("Вот что я могу здесь сделать"),
        "{}",
        reply.text
    );
    let reply = chat.say("vielen Dank");
    assert!(!reply.text.is_empty());
}

#[test]
fn a_number_with_the_unit_of_another_measure_is_no_amount() {
    let rent = || {
        let properties = json!({ "rent": { "type": "number", "description": "The most for rent, in US dollars a month." } });
        let schema = json!({ "type": "object", "properties": properties, "required": [] });
        let spec = ToolSpec::read("Suggest storage rooms.")
            .title("Suggest rooms")
            .example("suggest rooms", json!({}))
            .example(
                "suggest rooms for a rent of 500 a month",
                json!({ "rent": 500.0 }),
            );
        Chat::with(offer_of(
            vec![tool("suggest_rooms", schema, spec)],
            Vec::new(),
            "",
        ))
    };
    for said in [
        "3x a week",
        "3 days a week",
        "4 hours a day",
        "900 sqm",
        "a month",
    ] {
        let reply = rent().say(&format!("suggest rooms for a rent of {said}"));
        let has_rent = reply
            .calls
            .iter()
            .any(|call| call.arguments.contains("rent"));
        assert!(!has_rent, "{said}: {reply:?}");
    }
    for said in ["700", "700 a month", "$700/month", "700/month"] {
        let (_, arguments) = only_call(&rent().say(&format!("suggest rooms for a rent of {said}")));
        assert_eq!(arguments["rent"], 700, "{said}");
    }
}
