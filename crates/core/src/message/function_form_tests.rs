//! Threads in the older form, both ways: each result stays with its call.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{FunctionFormError, from_function_thread, to_function_form};
use crate::message::{Message, ToolCall};

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    }
}

/// The thread of the docs design: parsing adds ids, serialising removes them.
#[test]
fn a_function_thread_both_ways() {
    let thread = [
        json!({ "role": "system", "content": "Search first." }),
        json!({ "role": "user", "content": "ROS?" }),
        json!({ "role": "assistant",
                "function_call": { "name": "search_docs", "arguments": "{\"query\":\"ROS\"}" } }),
        json!({ "role": "function", "name": "search_docs", "content": "{\"total\":1}" }),
        json!({ "role": "assistant", "content": "Again.",
                "function_call": { "name": "search_docs", "arguments": "{}" } }),
        json!({ "role": "function", "name": "search_docs", "content": "{\"total\":0}" }),
        json!({ "role": "assistant", "content": "ROS is …" }),
    ];
    let messages = [
        Message::system("Search first."),
        Message::user("ROS?"),
        Message::calls(
            None,
            vec![call(
                "function:search_docs:1",
                "search_docs",
                "{\"query\":\"ROS\"}",
            )],
        ),
        Message::tool("function:search_docs:1", "search_docs", "{\"total\":1}"),
        Message::calls(
            Some("Again.".to_owned()),
            vec![call("function:search_docs:2", "search_docs", "{}")],
        ),
        Message::tool("function:search_docs:2", "search_docs", "{\"total\":0}"),
        Message::assistant("ROS is …"),
    ];
    assert_eq!(from_function_thread(&thread).unwrap(), messages);
    let written: Result<Vec<Value>, _> = messages.iter().map(to_function_form).collect();
    assert_eq!(written.unwrap(), thread);
}

/// Client libraries write every field, most of them as `null`.
#[test]
fn a_thread_with_the_fields_of_both_forms() {
    let thread = [
        json!({ "role": "assistant", "content": null, "function_call": null,
                "tool_calls": [{ "id": "a", "function": { "name": "f", "arguments": "{}" } }] }),
        json!({ "role": "tool", "tool_call_id": "a", "name": null, "content": "1" }),
        json!({ "role": "assistant", "content": null, "tool_calls": null,
                "function_call": { "name": "f", "arguments": "{}" } }),
        json!({ "role": "function", "tool_call_id": null, "name": "f", "content": "2" }),
        json!({ "role": "assistant", "content": "Done", "function_call": null }),
    ];
    let result = |id: &str, name: Option<&str>, content: &str| Message::Tool {
        tool_call_id: id.to_owned(),
        name: name.map(str::to_owned),
        content: content.to_owned(),
    };
    assert_eq!(
        from_function_thread(&thread).unwrap(),
        [
            Message::calls(None, vec![call("a", "f", "{}")]),
            result("a", None, "1"),
            Message::calls(None, vec![call("function:f:1", "f", "{}")]),
            result("function:f:1", Some("f"), "2"),
            Message::assistant("Done"),
        ]
    );
}

#[test]
fn messages_outside_the_function_form_are_errors() {
    let two = Message::calls(None, vec![call("a", "f", "{}"), call("b", "f", "{}")]);
    assert_eq!(
        to_function_form(&two),
        Err(FunctionFormError::SeveralCalls(2))
    );
    let nameless = Message::Tool {
        tool_call_id: "a".to_owned(),
        name: None,
        content: "{}".to_owned(),
    };
    assert_eq!(
        to_function_form(&nameless),
        Err(FunctionFormError::NamelessResult)
    );
    let thread = [
        json!({ "role": "user", "content": "Hi" }),
        json!({ "role": "boss" }),
    ];
    let error = from_function_thread(&thread).unwrap_err();
    assert_eq!(error.to_string(), "message 1: unknown role \"boss\"");
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 0..24).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_function_thread_keeps_each_result_with_its_call(
        turns in prop::collection::vec((text(), text(), text()), 0..8),
    ) {
        let thread: Vec<Value> = turns
            .iter()
            .flat_map(|(name, arguments, content)| [
                json!({ "role": "assistant",
                        "function_call": { "name": name, "arguments": arguments } }),
                json!({ "role": "function", "name": name, "content": content }),
            ])
            .collect();
        let messages = from_function_thread(&thread).unwrap();
        let mut ids = Vec::new();
        for pair in messages.chunks(2) {
            let [Message::Assistant { tool_calls, .. }, Message::Tool { tool_call_id, .. }] = pair
            else {
                panic!("{pair:?}");
            };
            prop_assert_eq!(&tool_calls[0].id, tool_call_id);
            prop_assert!(!ids.contains(tool_call_id));
            ids.push(tool_call_id.clone());
        }
        let written: Result<Vec<Value>, _> = messages.iter().map(to_function_form).collect();
        prop_assert_eq!(written.unwrap(), thread);
    }
}
