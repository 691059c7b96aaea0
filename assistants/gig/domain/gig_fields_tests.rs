//! New gigs and edits of a gig.

use serde_json::json;

use super::*;

fn read(edit: Value) -> Result<GigFields, FieldProblem> {
    let Value::Object(edit) = edit else {
        panic!("an object");
    };
    GigFields::read(None, edit)
}

#[test]
fn a_title_is_enough_and_an_edit_changes_what_it_names() {
    let new = read(json!({ "title": "Лендинг" })).unwrap();
    assert_eq!((new.budget_currency.as_str(), new.is_active), ("RUB", true));
    let edit = json!({ "budgetMax": 50_000, "description": "Одна страница" });
    let edited = GigFields::read(Some(&new), edit.as_object().unwrap().clone()).unwrap();
    let expected = GigFields {
        budget_max: Some(50_000),
        description: Some("Одна страница".to_owned()),
        ..new
    };
    assert_eq!(edited, expected);
    let cleared = json!({ "budgetMax": null }).as_object().unwrap().clone();
    assert_eq!(
        GigFields::read(Some(&edited), cleared).unwrap().budget_max,
        None
    );
}

#[test]
fn a_wrong_field_is_named() {
    for (edit, field) in [
        (json!({}), "title"),
        (json!({ "title": " " }), "title"),
        (json!({ "title": "x".repeat(501) }), "title"),
        (
            json!({ "title": "x", "budgetMin": 5, "budgetMax": 4 }),
            "budgetMax",
        ),
        (json!({ "title": "x", "budgetMin": -1 }), "budgetMin"),
        (
            json!({ "title": "x", "budgetCurrency": "rub" }),
            "budgetCurrency",
        ),
        (json!({ "title": "x", "color": "red" }), "color"),
        (json!({ "title": "x", "type": "COOKING" }), "type"),
        (json!({ "title": "x", "deadline": "soon" }), "deadline"),
    ] {
        let refused = read(edit.clone()).unwrap_err();
        assert_eq!(refused.field, field, "{edit}");
        assert!(refused.words(Language::English).starts_with(field));
    }
}

#[test]
fn a_deadline_without_a_time_is_the_end_of_its_day() {
    let new = read(json!({ "title": "x", "deadline": "2026-12-05" })).unwrap();
    let expected = "2026-12-05T23:59:59Z".parse().unwrap();
    assert_eq!(new.deadline, Some(expected));
}

#[test]
fn an_unknown_requirement_is_refused_by_its_name() {
    let needs = |needs: Value| read(json!({ "title": "Лендинг", "requirements": needs }));
    let refused = needs(json!({ "skills": ["React"] })).unwrap_err();
    assert_eq!(refused.field, "requirements.skills");
    assert!(refused.words(Language::English).contains("required_skills"));
    let read = needs(json!({ "required_skills": ["React"] })).unwrap();
    assert_eq!(read.requirements.unwrap().required_skills, ["React"]);
}
