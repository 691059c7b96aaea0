//! A question that was asked is recognised again, in every language and with its parameters.

use super::super::tests::toolboxes;
use super::*;

#[test]
fn every_question_is_recognised_again_in_every_language() {
    let index = Index::new(&toolboxes::named("admin"), None);
    let tool = index.by_name("approve_gate_pass").expect("the tool");
    for language in Language::ALL {
        let mut filled = Filled::default();
        filled.unclear.insert(
            "pass_number".to_owned(),
            vec!["GP-1".to_owned(), "GP-2".to_owned()],
        );
        let asked = missing(&index.tools[tool], &filled, language);
        let params = vec!["pass_number".to_owned(), "name".to_owned()];
        assert_eq!(
            Question::recognise(&asked, &index),
            Some(Question::Missing { tool, params })
        );
        let sure = confirm(&index.tools[tool], &filled, language);
        assert_eq!(
            Question::recognise(&sure, &index),
            Some(Question::Confirm { tool })
        );
        let choice = format!("Here is the rest.\n\n{}", which(&index, &[2, 3], language));
        assert_eq!(
            Question::recognise(&choice, &index),
            Some(Question::Which(vec![2, 3]))
        );
    }
}

#[test]
fn what_others_ask_is_no_question_of_ours() {
    let index = Index::new(&toolboxes::named("admin"), None);
    for text in [
        "",
        "What is your name?",
        "For “Something else” I still need:\n- x",
        "Which of these do you mean?",
    ] {
        assert_eq!(Question::recognise(text, &index), None, "{text}");
    }
}
