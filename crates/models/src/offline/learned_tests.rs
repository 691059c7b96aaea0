//! What a small list teaches.

use std::sync::Arc;

use frontdesk_core::tool::ToolSpec;
use frontdesk_core::toolbox::Phrasings;
use serde_json::json;

use super::super::tests::toolboxes;
use super::super::words::Text;
use super::{Learned, Likely, Taught};

const LIST: &str = "[open]\nopen the door\nlet me in\nplease unlock gate 4\n\
    [shut]\nclose the door\nlock it up\nshut gate 7 for Anna\n\
    [nothing]\nthanks a lot\nit is raining\nthe door is red\ndon't open the door";

fn likely(tools: &[&'static str], say: &str) -> Likely {
    let defs = tools.iter().map(|name| {
        let spec = ToolSpec::read("Works on doors.");
        toolboxes::tool(name, toolboxes::object(json!({}), &[]), spec)
    });
    let mut offer = toolboxes::offer(defs.collect());
    offer.phrasings = Arc::new(Phrasings::parse(LIST));
    let learned = Arc::new(Learned::from(&offer.phrasings).unwrap());
    let taught = Taught::new(learned, &offer);
    taught.likely(tools.len(), &Text::new(say)).unwrap()
}

#[test]
fn what_is_made_of_other_words_may_mean_anything() {
    let mut offer = toolboxes::offer(Vec::new());
    offer.phrasings = Arc::new(Phrasings::parse(LIST));
    let learned = Arc::new(Learned::from(&offer.phrasings).unwrap());
    let strange = Text::new("quarterly figures look splendid again");
    assert_eq!(Taught::new(learned, &offer).likely(0, &strange), None);
}

#[test]
fn sentences_mean_what_sentences_like_them_mean() {
    assert!(likely(&["open", "shut"], "unlock gate 12 please").tools[0] > 0.6);
    assert!(likely(&["open", "shut"], "please shut gate 2 for Boris").tools[1] > 0.6);
    assert!(likely(&["open", "shut"], "thanks, it is raining").nothing > 0.6);
    assert!(likely(&["open", "shut"], "don't open the door yet").nothing > 0.5);
}

#[test]
fn what_means_a_tool_that_is_not_at_hand_is_told_apart() {
    let likely = likely(&["open"], "shut gate 2");
    assert!(likely.elsewhere > 0.6, "{likely:?}");
}

#[test]
fn the_same_list_teaches_the_same() {
    let say = "could you lock the door";
    assert_eq!(
        likely(&["open", "shut"], say),
        likely(&["open", "shut"], say)
    );
}

#[test]
fn one_group_has_nothing_to_tell_apart() {
    assert!(Learned::from(&Phrasings::parse("[open]\nopen it")).is_none());
    assert!(Learned::from(&Phrasings::default()).is_none());
}
