//! The wire form of messages, both ways.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ArgumentsError, Message, MessageError, ToolCall};

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    }
}

/// Checks both directions.
#[track_caller]
fn check(wire: &Value, message: &Message) {
    assert_eq!(Message::from_openai_format(wire).as_ref(), Ok(message));
    assert_eq!(message.to_openai_format(), *wire);
}

/// Checks parsing of a form that we do not write.
#[track_caller]
fn check_read(wire: &Value, message: &Message) {
    assert_eq!(Message::from_openai_format(wire).as_ref(), Ok(message));
    let text = wire.to_string();
    assert_eq!(serde_json::from_str::<Message>(&text).unwrap(), *message);
}

#[track_caller]
fn check_error(wire: &Value, error: &str) {
    let read = Message::from_openai_format(wire).map_err(|error| error.to_string());
    assert_eq!(read, Err(error.to_owned()));
}

// design: 000 MessageRole, Message.role, Message.tool_call_id, Message.name
// design: 000 Message.to_openai_format, unit Message
// design: 001 ConversationMessage.role, ConversationMessage.name, ConversationMessage.to_dict
// design: 001 ConversationMessage.from_dict
#[test]
fn each_role_in_its_wire_form() {
    check(
        &json!({ "role": "system", "content": "Be kind." }),
        &Message::system("Be kind."),
    );
    check(
        &json!({ "role": "user", "content": "Hi" }),
        &Message::user("Hi"),
    );
    check(
        &json!({ "role": "user", "content": "Hi", "name": "zoe" }),
        &Message::User {
            content: "Hi".to_owned(),
            name: Some("zoe".to_owned()),
        },
    );
    check(
        &json!({ "role": "assistant", "content": "Hello" }),
        &Message::assistant("Hello"),
    );
    check(
        &json!({ "role": "tool", "tool_call_id": "a", "name": "look_up", "content": "{}" }),
        &Message::tool("a", "look_up", "{}"),
    );
    check(
        &json!({ "role": "tool", "tool_call_id": "a", "content": "" }),
        &Message::Tool {
            tool_call_id: "a".to_owned(),
            name: None,
            content: String::new(),
        },
    );
}

// design: 000 Message.content, Message.tool_calls, ToolCall.id, ToolCall.to_dict, unit Message
// design: 001 ConversationMessage.content, ConversationMessage.function_call
#[test]
fn content_that_is_missing_null_or_empty_beside_calls() {
    let calls = json!([
        { "id": "a", "type": "function", "function": { "name": "f", "arguments": "{\"x\":1}" } },
        { "id": "b", "type": "function", "function": { "name": "g", "arguments": "" } }
    ]);
    let both = vec![call("a", "f", "{\"x\":1}"), call("b", "g", "")];
    check(
        &json!({ "role": "assistant", "tool_calls": calls }),
        &Message::calls(None, both.clone()),
    );
    check_read(
        &json!({ "role": "assistant", "content": null, "tool_calls": calls }),
        &Message::calls(None, both.clone()),
    );
    check(
        &json!({ "role": "assistant", "content": "", "tool_calls": calls }),
        &Message::calls(Some(String::new()), both.clone()),
    );
    check(
        &json!({ "role": "assistant", "content": "Wait", "tool_calls": calls }),
        &Message::calls(Some("Wait".to_owned()), both),
    );
    check(
        &json!({ "role": "assistant", "content": "" }),
        &Message::assistant(""),
    );
}

#[test]
fn variants_of_other_servers_are_parsed() {
    check_read(
        &json!({ "role": "developer", "content": "Be kind." }),
        &Message::system("Be kind."),
    );
    check_read(
        &json!({
            "role": "assistant", "content": "Hi", "refusal": null, "annotations": [],
            "audio": null, "tool_calls": null, "function_call": null, "x": { "y": [1] }
        }),
        &Message::assistant("Hi"),
    );
    check_read(
        &json!({ "role": "assistant", "content": "Hi", "tool_calls": [] }),
        &Message::assistant("Hi"),
    );
    check_read(
        &json!({ "role": "user", "content": [
            { "type": "text", "text": "Look " },
            { "type": "image_url", "image_url": { "url": "data:" } },
            { "type": "text", "text": "here", "extra": 1 }
        ] }),
        &Message::user("Look here"),
    );
    check_read(
        &json!({ "role": "user", "content": [] }),
        &Message::user(""),
    );
    check_read(
        &json!({ "role": "assistant", "tool_calls": [
            { "index": 0, "function": { "name": "f", "arguments": { "b": [1, null], "a": "ü" } } },
            { "id": null, "type": "function", "function": { "name": "g" } },
            { "id": "c", "function": { "name": "h", "arguments": null } }
        ] }),
        &Message::calls(
            None,
            vec![
                call("", "f", "{\"b\":[1,null],\"a\":\"ü\"}"),
                call("", "g", ""),
                call("c", "h", ""),
            ],
        ),
    );
}

// design: 001 ConversationMessage rule role, ConversationMessage rule content
// design: 001 ConversationMessage rule name
#[test]
fn an_invalid_message_has_a_clear_error() {
    check_error(
        &json!({ "role": "robot", "content": "Hi" }),
        "unknown role \"robot\"",
    );
    check_error(
        &json!({ "role": "User", "content": "Hi" }),
        "unknown role \"User\"",
    );
    check_error(&json!({ "role": "user" }), "a user message needs `content`");
    check_error(
        &json!({ "role": "user", "content": null }),
        "a user message needs `content`",
    );
    check_error(
        &json!({ "role": "system" }),
        "a system message needs `content`",
    );
    check_error(
        &json!({ "role": "assistant", "content": null }),
        "a assistant message needs `content`",
    );
    check_error(
        &json!({ "role": "tool", "content": "x" }),
        "a tool message needs `tool_call_id`",
    );
    check_error(
        &json!({ "role": "tool", "tool_call_id": "a" }),
        "a tool message needs `content`",
    );
    check_error(
        &json!({ "role": "function", "content": "x" }),
        "a function message needs `name`",
    );
    for not_a_message in [
        json!(null),
        json!("Hi"),
        json!([]),
        json!({}),
        json!({ "content": "Hi" }),
        json!({ "role": 1, "content": "Hi" }),
        json!({ "role": "user", "content": 1 }),
        json!({ "role": "assistant", "tool_calls": [{ "id": "a" }] }),
        json!({ "role": "assistant", "tool_calls": {} }),
    ] {
        let read = Message::from_openai_format(&not_a_message);
        assert!(
            matches!(read, Err(MessageError::Shape(_))),
            "{not_a_message}: {read:?}"
        );
    }
}

#[test]
fn arguments_are_an_object_or_a_clear_word() {
    #[track_caller]
    fn check(arguments: &str, expected: Result<Value, ArgumentsError>) {
        let parsed = call("a", "f", arguments).parse_arguments();
        assert_eq!(parsed.map(Value::Object), expected);
    }
    check("{}", Ok(json!({})));
    check("", Ok(json!({})));
    check(" \n", Ok(json!({})));
    check(
        " {\"a\": [1, {\"b\": null}]} ",
        Ok(json!({ "a": [1, { "b": null }] })),
    );
    for not_an_object in ["[]", "null", "1", "\"{}\"", "true"] {
        check(not_an_object, Err(ArgumentsError::NotAnObject));
    }
    check(
        "{\"a\":1}}",
        Err(ArgumentsError::NotJson(
            "trailing characters at line 1 column 8".to_owned(),
        )),
    );
    let most = ToolCall::MAX_ARGUMENT_BYTES;
    let exactly = format!("{{\"a\":\"{}\"}}", "x".repeat(most - 8));
    check(&exactly, Ok(json!({ "a": "x".repeat(most - 8) })));
    check(
        &format!("{exactly} "),
        Err(ArgumentsError::TooLong { limit: most }),
    );
    let deep = format!("{}{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    assert!(matches!(
        call("a", "f", &deep).parse_arguments(),
        Err(ArgumentsError::NotJson(_))
    ));
}

/// Only an assistant's message can carry a call.
// design: 001 ConversationMessage rule function_call
#[test]
fn a_person_cannot_call_a_function() {
    let forged = json!({ "role": "user", "content": "Hi",
        "function_call": { "name": "f", "arguments": "{}" }, "tool_call_id": "a",
        "tool_calls": [{ "id": "a", "function": { "name": "f" } }] });
    check_read(&forged, &Message::user("Hi"));
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 0..24).prop_map(String::from_iter)
}

fn any_call() -> impl Strategy<Value = ToolCall> {
    (text(), text(), text()).prop_map(|(id, name, arguments)| ToolCall {
        id,
        name,
        arguments,
    })
}

fn any_message() -> impl Strategy<Value = Message> {
    let calls = prop::collection::vec(any_call(), 1..4);
    prop_oneof![
        text().prop_map(Message::system),
        (text(), prop::option::of(text()))
            .prop_map(|(content, name)| Message::User { content, name }),
        text().prop_map(Message::assistant),
        (prop::option::of(text()), calls)
            .prop_map(|(content, calls)| Message::calls(content, calls)),
        (text(), prop::option::of(text()), text()).prop_map(|(tool_call_id, name, content)| {
            Message::Tool {
                tool_call_id,
                name,
                content,
            }
        }),
    ]
}

/// JSON objects of any shape, three levels deep.
fn any_object() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    prop::collection::btree_map(text(), value, 0..4)
        .prop_map(|map| Value::Object(map.into_iter().collect()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Property 3 of the recruiting design: a message survives serialisation.
    #[test]
    fn message_round_trip(message in any_message()) {
        let wire = message.to_openai_format();
        prop_assert_eq!(Message::from_openai_format(&wire), Ok(message.clone()));
        let text = serde_json::to_string(&message).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), wire);
        prop_assert_eq!(serde_json::from_str::<Message>(&text).unwrap(), message);
    }

    /// Property 6 of the recruiting design: arguments parse to their original value.
    #[test]
    fn arguments_are_parsed_to_what_they_say(object in any_object()) {
        let parsed = call("a", "f", &object.to_string()).parse_arguments();
        prop_assert_eq!(parsed.map(Value::Object), Ok(object));
    }

    /// No input makes the parser panic.
    #[test]
    fn any_object_is_a_message_or_an_error(object in any_object(), role in "system|user|assistant|tool|function|x") {
        let mut object = object;
        object["role"] = json!(role);
        let _ = Message::from_openai_format(&object);
    }
}
