//! What is offered for a click answers the question that stands there, changes nothing by
//! itself, and is understood when it comes back.

use super::super::tests::talk::{Talk, reply};
use super::super::tests::toolboxes;
use super::*;
use frontdesk_core::message::Message;

fn offered(toolbox: &str, words: &str) -> Vec<String> {
    let model = super::super::OfflineModel::default();
    let offer = toolboxes::named(toolbox);
    reply(&model, &offer, &[], &[Message::user(words)], None).quick_replies
}

#[test]
fn a_choice_between_tools_is_offered_by_their_titles_and_understood() {
    let offer = toolboxes::named("gate");
    let index = Index::new(&offer, None);
    let text = super::super::question::which(&index, &[0, 1], Language::English);
    let offered = replies(&text, &index, Language::English);
    assert_eq!(
        offered,
        [index.tools[0].title.clone(), index.tools[1].title.clone()]
    );
}

#[test]
fn yes_and_no_are_offered_in_the_persons_language() {
    let offer = toolboxes::named("admin");
    let index = Index::new(&offer, None);
    let filled = super::super::fill::Filled::default();
    for (language, yes) in [(Language::English, "Yes"), (Language::German, "Ja")] {
        let text = super::super::question::confirm(&index.tools[0], &filled, language);
        assert_eq!(replies(&text, &index, language)[0], yes);
    }
}

#[test]
fn one_open_choice_is_offered_and_two_are_not() {
    let mut talk = Talk::new(toolboxes::named("hr"));
    talk.say("create a gate pass for Zara Malik to visit the bank");
    assert_eq!(talk.quick_replies, ["Yes", "No"]);
    let turn = talk.say("No");
    assert_eq!(turn.calls[0].1["is_returnable"], false);
    talk.say("create a gate pass for Zara Malik");
    assert!(talk.quick_replies.is_empty(), "{:?}", talk.quick_replies);
}

#[test]
fn who_asks_for_help_is_offered_what_can_be_looked_at() {
    let offer = toolboxes::named("hr");
    for words in ["help", "what's the weather like?"] {
        let offered = offered("hr", words);
        assert!(!offered.is_empty(), "{words}");
        for title in offered {
            let tool = offer.tools.iter().find(|tool| tool.title() == title);
            let tool = tool.expect("a tool of this title");
            assert!(!tool.spec.effect.writes(), "{title}");
            let mut talk = Talk::new(toolboxes::named("hr"));
            assert_eq!(talk.say(&title).calls[0].0, tool.name, "{title}");
        }
    }
}
