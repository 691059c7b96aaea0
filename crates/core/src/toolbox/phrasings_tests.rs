//! How a list of what people say is read.

use serde_json::json;

use super::{Group, Phrasings};

fn group(tools: &[&str], said: &[&str]) -> Group {
    let owned = |all: &[&str]| all.iter().map(ToString::to_string).collect();
    Group {
        tools: owned(tools),
        values: Vec::new(),
        said: owned(said),
    }
}

#[test]
fn sentences_belong_to_the_heading_above_them() {
    let list = "lost\n# a comment\n[open, open_admin]\nopen it\n\n  let me see  \n[nothing]\nthanks\n[shut]";
    let groups = vec![
        group(&["open", "open_admin"], &["open it", "let me see"]),
        group(&[], &["thanks"]),
        group(&["shut"], &[]),
    ];
    assert_eq!(Phrasings::parse(list), Phrasings { groups });
}

#[test]
fn a_heading_may_say_which_choice_is_meant() {
    let list =
        "[list, list_admin: status=out]\nwho left?\n[make: back=true, days=2]\nreturns in two";
    let groups = Phrasings::parse(list).groups;
    let values = |at: usize| groups[at].values.clone();
    assert_eq!(groups[0].tools, ["list", "list_admin"]);
    assert_eq!(values(0), [("status".to_owned(), json!("out"))]);
    let both = [
        ("back".to_owned(), json!(true)),
        ("days".to_owned(), json!(2)),
    ];
    assert_eq!(values(1), both);
}

#[test]
fn a_heading_must_name_a_tool() {
    let phrasings = Phrasings::parse("[open]\nopen it\n[shut]\nshut it\n[nothing]\nhm");
    assert_eq!(phrasings.unknown_tool(&["open", "shut"]), None);
    assert_eq!(phrasings.unknown_tool(&["open"]), Some("shut"));
}
