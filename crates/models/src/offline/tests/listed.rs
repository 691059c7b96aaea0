//! What an assistant's list of what people say changes: it settles what words leave open, and makes a
//! doubtful order a question.

use std::sync::Arc;

use frontdesk_core::tool::ToolSpec;
use frontdesk_core::toolbox::Phrasings;
use serde_json::{Value, json};

use super::talk::Talk;
use super::toolboxes::{object, offer, tool};

const LIST: &str = "[water_plant]\nwater the Monstera\ngive the Ficus a drink\nthe Palm is thirsty, pour some\nwet the Fern\n\
    [throw_plant_away]\nbin the Ficus\ninto the compost with the Palm\nget rid of the Monstera\nthe Fern is beyond saving, out with it\n\
    [plants]\nwhat grows here\nwhich ones do we have\nhow is my jungle doing\nanything green around\n\
    [nothing]\nlovely weather\nthanks a lot\nmy aunt loves plants\ndon't water the Ficus\nthe Palm was watered yesterday\nshould I bin the Palm?";

fn garden(list: &str) -> Talk {
    let name = || object(json!({"plant": {"type": "string"}}), &["plant"]);
    let water = ToolSpec::idempotent("Water a plant.")
        .target("plant")
        .example("water the Ivy", json!({"plant": "Ivy"}));
    let throw = ToolSpec::idempotent("Throw a plant away.")
        .target("plant")
        .example("throw the Ivy away", json!({"plant": "Ivy"}));
    let plants = ToolSpec::read("List the plants.").example("list the plants", json!({}));
    let mut offer = offer(vec![
        tool("water_plant", name(), water),
        tool("throw_plant_away", name(), throw),
        tool("plants", object(json!({}), &[]), plants),
    ]);
    offer.phrasings = Arc::new(Phrasings::parse(list));
    Talk::new(offer)
}

fn called(talk: &mut Talk, words: &str) -> Vec<(String, Value)> {
    talk.say(words).calls
}

#[test]
fn a_look_that_no_tool_has_words_for_is_learned() {
    assert_eq!(called(&mut garden(""), "how is the jungle doing today"), []);
    let calls = called(&mut garden(LIST), "how is the jungle doing today");
    assert_eq!(calls, [("plants".to_owned(), json!({}))]);
}

#[test]
fn what_was_learned_to_mean_nothing_writes_nothing() {
    for words in [
        "the Fern was watered yesterday",
        "don't water the Monstera",
        "my uncle loves plants",
    ] {
        assert_eq!(called(&mut garden(LIST), words), [], "{words}");
    }
}

#[test]
fn an_order_in_so_many_words_stays_one() {
    let calls = called(&mut garden(LIST), "water the Ivy");
    assert_eq!(calls, [("water_plant".to_owned(), json!({"plant": "Ivy"}))]);
}

const ROUTES: &str = "[find_route: mode=fast]\nI'm in a hurry, how do I get to Ulm\nno time to lose, which way to Kiel\n\
    quick, how do I get there\nwe are late, find us a way\nI have to be there in an hour, which road\nhurry, the way to Bonn\n\
    [find_route: mode=scenic]\nwe have all day, how do we get to Ulm\nsomething nice to look at on the way to Kiel\n\
    no rush, which way has the views\nfind us a way past the lakes\nwe want to enjoy the drive to Bonn\na pretty road, please\n\
    [find_route]\nhow do I get to Ulm\nthe way to Kiel please\nfind a route to Bonn\nwhich road goes there\n\
    [nothing]\nthanks\nnice weather\nI was late yesterday\nthe lakes are lovely";

fn roads(say: &str) -> Vec<(String, Value)> {
    let parameters = object(
        json!({"mode": {"type": ["string", "null"], "enum": ["fast", "scenic", null]}}),
        &[],
    );
    let route = ToolSpec::read("Find a route.").example("find a route", json!({}));
    let mut offer = offer(vec![tool("find_route", parameters, route)]);
    offer.phrasings = Arc::new(Phrasings::parse(ROUTES));
    Talk::new(offer).say(say).calls
}

#[test]
fn a_choice_that_nobody_names_is_learned() {
    let found = |mode: Value| [("find_route".to_owned(), mode)];
    let (fast, scenic) = (json!({"mode": "fast"}), json!({"mode": "scenic"}));
    assert_eq!(
        roads("I'm late, in a hurry: how do I get to Trier"),
        found(fast)
    );
    assert_eq!(roads("no rush, find us a way with lakes"), found(scenic));
    assert_eq!(roads("how do I get to Trier"), found(json!({})));
}
