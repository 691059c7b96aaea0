//! Ways of saying things that hold for any tool: what is missing, what is pasted, what is put
//! together, what is denied, and what is not an order after all.

use frontdesk_core::tool::{ToolDef, ToolSpec};
use serde_json::{Value, json};

use super::talk::{Talk, Turn};
use super::toolboxes::{object, offer, tool};

pub(super) fn staff() -> Vec<ToolDef> {
    vec![
        tool(
            "find_people",
            object(
                json!({
                    "with_skill": {"type": ["string", "null"], "description": "A skill they have."},
                    "without_skill": {"type": ["string", "null"], "description": "A skill they have not."},
                    "max_price": {"type": ["integer", "null"], "minimum": 0, "description": "Price at most."},
                    "max_days": {"type": ["integer", "null"], "minimum": 1, "description": "At most so many days."},
                    "within_budget": {"type": "boolean", "default": false, "description": "Only who is within the budget."},
                    "advice": {"type": ["string", "null"], "enum": ["HIRE", "NOT_HIRE", null], "description": "What is advised."},
                    "order": {"type": ["string", "null"], "enum": ["price", "days", null], "description": "Order: price (cheapest first), days (fastest first)."},
                }),
                &[],
            ),
            ToolSpec::read("Find people by price, budget, days and skills.")
                .title("Find people")
                .example("who has skill Excel?", json!({"with_skill": "Excel"}))
                .example("who knows Excel?", json!({"with_skill": "Excel"}))
                .example("кто знает Excel?", json!({"with_skill": "Excel"}))
                .example(
                    "who is the cheapest within budget?",
                    json!({"within_budget": true, "order": "price"}),
                )
                .example("people within 5 days", json!({"max_days": 5})),
        ),
        tool(
            "show_person",
            object(
                json!({"name": {"type": "string", "description": "Name of the person."}}),
                &["name"],
            ),
            ToolSpec::read("Show a person.")
                .title("Show a person")
                .example("tell me about Anna", json!({"name": "Anna"})),
        ),
        tool(
            "decide",
            object(
                json!({
                    "person": {"type": "string", "description": "Name of the person."},
                    "decision": {"type": "string", "enum": ["INVITE", "REJECT"], "description": "INVITE (invite, пригласить на встречу), REJECT (reject, отказать)."},
                }),
                &["person", "decision"],
            ),
            ToolSpec::transactional("Write a decision about a person down.")
                .title("Decide about a person")
                .target("person")
                .example(
                    "invite Anna to a meeting",
                    json!({"person": "Anna", "decision": "INVITE"}),
                )
                .example(
                    "Пригласи Анну на встречу",
                    json!({"person": "Анну", "decision": "INVITE"}),
                ),
        ),
    ]
}

fn papers() -> Vec<ToolDef> {
    vec![
        tool(
            "create_profile",
            object(
                json!({
                    "position_title": {"type": "string", "maxLength": 200, "description": "Title of the position."},
                    "notes": {"type": "string", "x-handle": "text", "description": "Notes of the meeting."},
                }),
                &["position_title", "notes"],
            ),
            ToolSpec::transactional("Create a profile of a position from notes.")
                .title("Create the profile")
                .example(
                    "Create a profile for the position Sales Lead from these notes",
                    json!({"position_title": "Sales Lead", "notes": "text:1"}),
                )
                .example(
                    "Skapa en profil för tjänsten Projektledare från anteckningarna",
                    json!({"position_title": "Projektledare", "notes": "text:1"}),
                ),
        ),
        tool(
            "review_ad",
            object(
                json!({"ad_text": {"type": ["string", "null"], "x-handle": "text", "description": "The ad."}}),
                &[],
            ),
            ToolSpec::transactional("Review a job ad.")
                .title("Review a job ad")
                .example("Review this job ad", json!({"ad_text": "text:1"}))
                .example("Review our job ad", json!({})),
        ),
        tool(
            "write_outreach",
            object(json!({}), &[]),
            ToolSpec::transactional("Write messages to people.")
                .title("Write messages")
                .example("Skriv meddelanden", json!({})),
        ),
        tool(
            "confirm_profile",
            object(json!({}), &[]),
            ToolSpec::transactional("Confirm the profile.")
                .title("Confirm the profile")
                .example("Bekräfta profilen", json!({}))
                .example("Bekreft profilen", json!({}))
                .example("Bestätige das Profil", json!({})),
        ),
        tool(
            "report_figures",
            object(
                json!({
                    "title": {"type": "string", "description": "What it is about."},
                    "views": {"type": ["integer", "null"], "minimum": 0, "description": "How often it was seen."},
                    "replies": {"type": ["integer", "null"], "minimum": 0, "description": "How many replied."},
                }),
                &["title"],
            ),
            ToolSpec::transactional("Create a report of figures.")
                .title("Report figures")
                .example(
                    "figures report for Sales Lead: 90 views, 4 replies",
                    json!({"title": "Sales Lead", "views": 90, "replies": 4}),
                ),
        ),
    ]
}

fn said(tools: Vec<ToolDef>, words: &str) -> Turn {
    Talk::new(offer(tools)).say(words)
}

#[track_caller]
fn calls(tools: Vec<ToolDef>, words: &str, name: &str, arguments: Value) {
    let turn = said(tools, words);
    assert_eq!(
        turn.calls,
        [(name.to_owned(), arguments)],
        "{words}: {}",
        turn.text
    );
}

#[track_caller]
fn asks(tools: Vec<ToolDef>, words: &str) -> String {
    let turn = said(tools, words);
    assert_eq!(turn.calls, [], "{words}");
    turn.text
}

#[test]
fn what_is_had_and_what_is_missing_are_told_apart() {
    let find = |words: &str, arguments: Value| calls(staff(), words, "find_people", arguments);
    find("who has skill SQL?", json!({"with_skill": "SQL"}));
    find("who is missing skill SQL?", json!({"without_skill": "SQL"}));
    find("who doesn't know SQL?", json!({"without_skill": "SQL"}));
    find("кто не знает figma?", json!({"without_skill": "figma"}));
    find("кто владеет Figma?", json!({"with_skill": "Figma"}));
}

#[test]
fn a_limit_is_a_limit_and_a_budget_no_order() {
    let find = |words: &str, arguments: Value| calls(staff(), words, "find_people", arguments);
    find("who fits the budget?", json!({"within_budget": true}));
    find(
        "which people are cheaper than 300 dollars?",
        json!({"max_price": 300}),
    );
    find("who is the cheapest one?", json!({"order": "price"}));
    find("which people can do it in a week?", json!({"max_days": 7}));
}

#[test]
fn a_question_about_somebody_is_answered_with_them() {
    for words in [
        "what do we know about Boris Kim?",
        "how much does Boris Kim charge?",
        "should I invite Boris Kim?",
        "does Boris Kim suit us?",
    ] {
        calls(staff(), words, "show_person", json!({"name": "Boris Kim"}));
    }
}

#[test]
fn what_somebody_wants_is_no_order_even_where_it_names_a_choice() {
    asks(staff(), "Борис просил пригласить его на встречу");
    asks(staff(), "Boris wants to invite Anna to a meeting");
}

#[test]
fn a_denial_behind_the_verb_is_one() {
    for words in [
        "Bekräfta inte profilen än",
        "Bekreft ikke profilen",
        "Bestätige das Profil noch nicht",
    ] {
        asks(papers(), words);
    }
    calls(
        papers(),
        "Kan du bekrefte profilen?",
        "confirm_profile",
        json!({}),
    );
}

#[test]
fn a_short_paste_is_kept_and_survives_a_question_back() {
    let pasted = "We look for a seller who never sleeps.\nApply today.";
    calls(
        papers(),
        &format!("Review this job ad\n{pasted}"),
        "review_ad",
        json!({"ad_text": pasted}),
    );
    let mut talk = Talk::new(offer(papers()));
    let asked =
        talk.say("create a profile\nKick-off: five years of Rust, in Stockholm.\nStart in March.");
    assert_eq!(asked.calls, [], "{}", asked.text);
    let turn = talk.say("Backend Developer");
    let notes = "Kick-off: five years of Rust, in Stockholm.\nStart in March.";
    let arguments = json!({"position_title": "Backend Developer", "notes": notes});
    assert_eq!(
        turn.calls,
        [("create_profile".to_owned(), arguments)],
        "{}",
        turn.text
    );
    // Asked for the text alone, all of the answer is it.
    let mut talk = Talk::new(offer(papers()));
    talk.say("create a profile for the position Sales Lead");
    let turn = talk.say("Start-up meeting, Monday.\nFive years of sales, in Oslo.");
    let notes = "Start-up meeting, Monday.\nFive years of sales, in Oslo.";
    let arguments = json!({"position_title": "Sales Lead", "notes": notes});
    assert_eq!(
        turn.calls,
        [("create_profile".to_owned(), arguments)],
        "{}",
        turn.text
    );
}

#[test]
fn a_title_is_never_what_is_left_of_a_sentence() {
    let notes = "\nMötet: vi söker någon som kan siffror.";
    let create = |words: &str, title: &str| {
        let turn = said(papers(), &format!("{words}{notes}"));
        let given = &turn
            .calls
            .first()
            .map(|call| call.1["position_title"].clone());
        assert_eq!(*given, Some(json!(title)), "{words}: {}", turn.text);
    };
    create(
        "Skapa en profil för rollen Ekonomichef utifrån mina anteckningar",
        "Ekonomichef",
    );
    create(
        "Create a profile for the role Head of Sales from my notes",
        "Head of Sales",
    );
    let question = asks(
        papers(),
        &format!("Skapa en profil utifrån mina anteckningar från i går{notes}"),
    );
    assert!(question.contains("Title of the position"), "{question}");
}

#[test]
fn to_write_something_unknown_is_not_to_write_what_is_known() {
    asks(papers(), "Skriv en faktura");
    asks(papers(), "write a poem for my cat");
}

#[test]
fn a_figure_without_a_place_is_asked_about_before_anything_is_written() {
    let text = asks(
        papers(),
        "figures report for Sales Lead: 90 frobs, 4 gizmos",
    );
    assert!(text.contains("Sales Lead"), "{text}");
}

fn goods() -> Vec<ToolDef> {
    let names = |what: &str| json!({"type": ["array", "null"], "items": {"type": "string"}, "maxItems": 5, "description": what});
    vec![
        tool(
            "compare_offers",
            object(json!({}), &[]),
            ToolSpec::transactional("Compare all offers in a table.")
                .title("Compare the offers")
                .example("Compare the offers", json!({})),
        ),
        tool(
            "make_offer_sheet",
            object(
                json!({"machine": {"type": ["string", "null"], "maxLength": 80, "description": "Name of the machine."}}),
                &[],
            ),
            ToolSpec::transactional("Make a sheet about one offer of the wish list.")
                .title("Make an offer sheet")
                .example("make the offer sheet", json!({}))
                .example(
                    "make an offer sheet for the Beta One",
                    json!({"machine": "Beta One"}),
                ),
        ),
        tool(
            "update_wishlist",
            object(
                json!({"add": names("Names to put on the wishlist."), "remove": names("Names to take off the wishlist.")}),
                &[],
            ),
            ToolSpec::transactional("Put machines on the wishlist or take them off.")
                .title("Change the wishlist")
                .example("wishlist the Beta One", json!({"add": ["Beta One"]}))
                .example(
                    "take the Beta One off the wishlist",
                    json!({"remove": ["Beta One"]}),
                ),
        ),
        tool(
            "list_messages",
            object(json!({}), &[]),
            ToolSpec::read("Show the messages.")
                .title("Show messages")
                .example("my messages", json!({})),
        ),
        tool(
            "mark_message_read",
            object(
                json!({"message_id": {"type": "string", "description": "ID of the message."}}),
                &["message_id"],
            ),
            ToolSpec::idempotent("Mark one message as read.")
                .title("Mark a message as read")
                .target("message_id")
                .example("Mark message m-17 as read", json!({"message_id": "m-17"})),
        ),
    ]
}

#[test]
fn a_verb_that_says_little_leaves_it_to_the_noun() {
    for words in [
        "make a comparison of the offers",
        "do a quick comparison of the offers please",
        "put the offers side by side",
        "prepare a comparison of all offers",
        "I'd like a comparison of the offers",
        "can I have a comparison of the offers?",
    ] {
        calls(goods(), words, "compare_offers", json!({}));
    }
}

#[test]
fn what_is_put_on_a_list_or_taken_off_it_changes_the_list() {
    let change =
        |words: &str, arguments: Value| calls(goods(), words, "update_wishlist", arguments);
    change(
        "add the Alpha Max to our wishlist",
        json!({"add": ["Alpha Max"]}),
    );
    change(
        "put the Alpha Max on the wishlist",
        json!({"add": ["Alpha Max"]}),
    );
    change(
        "remove the Alpha Max from the wishlist",
        json!({"remove": ["Alpha Max"]}),
    );
    change(
        "delete the Alpha Max from my wishlist",
        json!({"remove": ["Alpha Max"]}),
    );
}

#[test]
fn a_place_in_the_list_last_shown_is_resolved() {
    let mut talk = Talk::new(offer(goods()));
    let rows = json!({"messages": [{"id": "m-3", "text": "one"}, {"id": "m-8", "text": "two"}, {"id": "m-9", "text": "three"}]});
    talk.will_return("list_messages", &rows.to_string());
    talk.say("my messages");
    let turn = talk.say("mark the second as read");
    let second = ("mark_message_read".to_owned(), json!({"message_id": "m-8"}));
    assert_eq!(turn.calls, [second], "{}", turn.text);
    let turn = talk.say("and mark the last one as read too");
    let last = ("mark_message_read".to_owned(), json!({"message_id": "m-9"}));
    assert_eq!(turn.calls, [last], "{}", turn.text);
}

#[test]
fn who_lacks_something_is_asked_of_who_knows_what_people_have() {
    let find = |words: &str, arguments: Value| calls(staff(), words, "find_people", arguments);
    find("who lacks SQL?", json!({"without_skill": "SQL"}));
    find("who lacks Excel?", json!({"without_skill": "Excel"}));
    find("who can do Excel?", json!({"with_skill": "Excel"}));
    find("which people lack Rust?", json!({"without_skill": "Rust"}));
}

#[test]
fn to_ask_about_a_text_that_is_handed_over_is_to_have_it_judged() {
    let pasted = "We look for a seller who never sleeps.\nApply today.";
    for words in [
        "is this job ad any good?",
        "does this ad need work?",
        "a check of the job ad, please",
    ] {
        let said = format!("{words}\n{pasted}");
        calls(papers(), &said, "review_ad", json!({"ad_text": pasted}));
    }
    asks(papers(), &format!("don't review this job ad\n{pasted}"));
}

#[test]
fn the_same_thing_said_twice_is_done_once() {
    calls(
        papers(),
        "I agree with the profile, confirm it",
        "confirm_profile",
        json!({}),
    );
    calls(
        papers(),
        "Profilen ser bra ut, bekräfta den",
        "confirm_profile",
        json!({}),
    );
}

#[test]
fn what_should_be_is_no_condition_but_should_it_be_is_one() {
    calls(
        papers(),
        "we should be done with the profile, confirm it",
        "confirm_profile",
        json!({}),
    );
    asks(papers(), "should Anna agree, confirm the profile");
}

#[test]
fn an_order_that_nobody_here_carries_out_is_not_answered_with_a_look() {
    for words in ["approve GP-2026-0007", "please reject GP-2026-0007"] {
        let turn = Talk::new(super::toolboxes::named("hr")).say(words);
        assert_eq!(turn.calls, [], "{words}");
    }
}

#[test]
fn questions_are_looked_up_with_or_without_their_mark() {
    let asked = |words: &str, query: &str| {
        let turn = Talk::new(super::toolboxes::named("docs")).say(words);
        let given = turn.calls.first().map(|call| call.1["query"].clone());
        assert_eq!(given, Some(json!(query)), "{words}: {}", turn.text);
        let counted = turn
            .calls
            .first()
            .is_some_and(|call| call.1.get("top_k").is_some());
        assert!(!counted, "{words}: {:?}", turn.calls);
    };
    asked(
        "can two guests share one badge",
        "can two guests share one badge",
    );
    asked("must a visitor sign in", "must a visitor sign in");
    asked("please explain badges to me", "badges");
    asked("find something about parking", "parking");
    asked("look for parking in the handbook", "parking");
}
