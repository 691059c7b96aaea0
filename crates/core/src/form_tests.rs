//! Fields derived from schemas, and typed text parsed to valid values or a helpful error.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::tool::ToolSpec;

fn tool(parameters: Value) -> ToolDef {
    ToolDef {
        name: "make_pass".into(),
        parameters,
        spec: ToolSpec::read("Make a pass."),
    }
}

fn field(property: Value) -> Field {
    let parameters = json!({
        "type": "object",
        "properties": { "it": property },
        "$defs": { "Kind": { "type": "string", "enum": ["red", "blue", "blueish"] },
                   "Spoken": { "oneOf": [{ "const": "sv", "description": "Swedish" }, { "const": "de" }] } },
    });
    fields(&tool(parameters)).remove(0)
}

#[test]
fn required_fields_come_first_with_their_help() {
    let fields = fields(&tool(json!({
        "type": "object",
        "properties": {
            "note": { "type": "string", "maxLength": 5000 },
            "is_returnable": { "type": "boolean", "description": "Whether they come back." },
            "topK": { "type": ["integer", "null"], "default": 5 },
        },
        "required": ["is_returnable"],
    })));
    let shown: Vec<(&str, &str, bool)> = fields
        .iter()
        .map(|field| (field.label.as_str(), field.help.as_str(), field.required))
        .collect();
    assert_eq!(
        shown,
        [
            ("Is returnable", "Whether they come back.", true),
            ("Note", "", false),
            ("Top k", "", false),
        ]
    );
    assert_eq!(fields[1].input, Input::LongText);
    assert_eq!(fields[2].input, Input::Integer);
    assert_eq!(fields[2].default, Some(json!(5)));
}

#[test]
fn inputs_follow_from_schemas_of_every_style() {
    let choice = |values: Value| Input::Choice(values.as_array().unwrap().clone());
    let colours = choice(json!(["red", "blue", "blueish"]));
    for (property, input) in [
        (json!({ "type": "string" }), Input::Text),
        (json!({ "type": "string", "x-handle": "file" }), Input::File),
        (
            json!({ "type": "string", "x-handle": "text" }),
            Input::LongText,
        ),
        (json!({ "type": "string", "format": "date" }), Input::Date),
        (
            json!({ "type": "string", "format": "date-time" }),
            Input::DateTime,
        ),
        (json!({ "type": ["number", "null"] }), Input::Number),
        (json!({ "$ref": "#/$defs/Kind" }), colours.clone()),
        (
            json!({ "anyOf": [{ "$ref": "#/$defs/Kind" }, { "type": "null" }] }),
            colours,
        ),
        (
            json!({ "$ref": "#/$defs/Spoken" }),
            choice(json!(["sv", "de"])),
        ),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            Input::List(Box::new(Input::Text)),
        ),
        (
            json!({ "type": "array", "items": { "type": "object" } }),
            Input::Json,
        ),
        (json!({ "type": ["string", "integer"] }), Input::Json),
        (json!({}), Input::Json),
    ] {
        assert_eq!(field(property.clone()).input, input, "{property}");
    }
}

#[test]
fn typed_words_become_values_or_a_sentence() {
    let number = field(json!({ "type": "number" }));
    assert_eq!(number.read(" 2,5 "), Ok(json!(2.5)));
    assert_eq!(number.read("1 200.5"), Ok(json!(1200.5)));
    assert!(number.read("NaN").is_err());
    assert_eq!(
        field(json!({ "type": "integer" })).read("1 200"),
        Ok(json!(1200))
    );
    assert!(field(json!({ "type": "integer" })).read("2.5").is_err());
    let yes = field(json!({ "type": "boolean" }));
    assert_eq!(yes.read("Y"), Ok(json!(true)));
    assert_eq!(yes.read("nein"), Ok(json!(false)));
    assert_eq!(yes.read("maybe"), Err("Enter yes or no.".to_owned()));
    let choice = field(json!({ "$ref": "#/$defs/Kind" }));
    assert_eq!(choice.read("BLUE"), Ok(json!("blue")));
    assert_eq!(choice.read("3"), Ok(json!("blueish")));
    assert_eq!(choice.read("r"), Ok(json!("red")));
    assert_eq!(
        choice.read("bl"),
        Err("Enter one of: red, blue, blueish.".to_owned())
    );
    let date = field(json!({ "type": "string", "format": "date" }));
    assert_eq!(date.read("2026-11-15"), Ok(json!("2026-11-15")));
    assert!(date.read("2026-02-30").is_err());
    let moment = field(json!({ "type": "string", "format": "date-time" }));
    assert_eq!(
        moment.read("2026-11-15 14:00"),
        Ok(json!("2026-11-15T14:00:00Z"))
    );
    assert_eq!(
        moment.read("2026-11-15T14:00:00+02:00"),
        Ok(json!("2026-11-15T14:00:00+02:00"))
    );
    let time = field(json!({ "type": "string", "format": "time" }));
    assert_eq!(time.read("14:00"), Ok(json!("14:00:00")));
    assert!(time.read("25:00").is_err());
    let list = field(json!({ "type": "array", "items": { "type": "integer" } }));
    assert_eq!(list.read("1, 2; 3,"), Ok(json!([1, 2, 3])));
    assert!(list.read("1, two").is_err());
    assert_eq!(field(json!({})).read("{\"a\":1}"), Ok(json!({ "a": 1 })));
    assert!(field(json!({})).read("{").is_err());
}

proptest! {
    #[test]
    fn whatever_is_typed_is_read_or_refused_in_a_sentence(typed in ".{0,40}", which in 0..6_usize) {
        let properties = [
            json!({ "type": "integer" }),
            json!({ "type": "boolean" }),
            json!({ "$ref": "#/$defs/Kind" }),
            json!({ "type": "string", "format": "date" }),
            json!({ "type": "array", "items": { "type": "number" } }),
            json!({}),
        ];
        if let Err(problem) = field(properties[which].clone()).read(&typed) {
            prop_assert!(problem.ends_with('.'), "{problem}");
        }
    }

    #[test]
    fn circular_references_end(depth in 0..3_usize) {
        let mut parameters = json!({ "type": "object", "properties": { "it": { "$ref": "#/$defs/A" } },
            "$defs": { "A": { "$ref": "#/$defs/B" }, "B": { "$ref": "#/$defs/A" } } });
        for _ in 0..depth {
            parameters["$defs"]["A"] = json!({ "anyOf": [{ "$ref": "#/$defs/A" }] });
        }
        prop_assert_eq!(&fields(&tool(parameters))[0].input, &Input::Json);
    }
}
