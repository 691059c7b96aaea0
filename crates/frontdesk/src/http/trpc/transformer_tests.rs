//! Inputs and results with and without superjson.

use serde_json::json;

use super::Spelling;

#[test]
fn inputs_are_unwrapped() {
    for (written, input, spelling) in [
        (json!({"a": 1}), json!({"a": 1}), Spelling::Plain),
        (json!(null), json!(null), Spelling::Plain),
        (
            json!({"json": {"a": 1}}),
            json!({"a": 1}),
            Spelling::SuperJson,
        ),
        (
            json!({"json": {"a": null, "b": [{"c": null}]}, "meta": {"values": {"a": ["undefined"], "b.0.c": ["undefined"]}}}),
            json!({"b": [{}]}),
            Spelling::SuperJson,
        ),
        (
            json!({"json": 1, "other": 2}),
            json!({"json": 1, "other": 2}),
            Spelling::Plain,
        ),
    ] {
        assert_eq!(Spelling::read(written), (input, spelling));
    }
}

#[test]
fn dates_are_marked_by_their_path() {
    let data = json!({"messages": [{"createdAt": "2026-11-16T09:00:00Z", "content": "x"}]});
    assert_eq!(
        Spelling::SuperJson.write(data.clone(), &["createdAt"]),
        json!({"json": data, "meta": {"values": {"messages.0.createdAt": ["Date"]}}})
    );
    assert_eq!(
        Spelling::SuperJson.write(json!({"ok": true}), &["createdAt"]),
        json!({"json": {"ok": true}})
    );
    assert_eq!(Spelling::Plain.write(data.clone(), &["createdAt"]), data);
}
