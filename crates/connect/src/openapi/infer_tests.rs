//! Effects and consent by method and name.

use frontdesk_core::tool::Effect;
use serde_json::json;

use super::super::document::Document;
use super::super::operations::operations;
use super::infer;

/// Effect, whether it always asks, and whether somebody should look at it.
fn inferred(method: &str, path: &str, id: &str, summary: &str) -> (Effect, bool, bool) {
    let operation = json!({"operationId": id, "summary": summary});
    let text = json!({"openapi": "3.0.0", "paths": {path: {method: operation}}}).to_string();
    let document = Document::parse(&text).unwrap();
    let (found, _) = operations(&document);
    let inference = infer(&found[0], false);
    assert!(!inference.reason.is_empty());
    (inference.effect, inference.always_asks, inference.doubtful)
}

const READ: (Effect, bool, bool) = (Effect::Read, false, false);
const WRITE: (Effect, bool, bool) = (Effect::AtMostOnce, false, false);
const ASKS: (Effect, bool, bool) = (Effect::AtMostOnce, true, false);
/// A GET that seems to write.
const DOUBTFUL: (Effect, bool, bool) = (Effect::AtMostOnce, false, true);

#[test]
fn gets_read_unless_their_names_look_like_changes() {
    for (path, id, summary, expected) in [
        ("/tickets", "listTickets", "List tickets", READ),
        ("/orders/{id}/refund", "getRefund", "Get the refund", READ),
        ("/payments", "", "", READ),
        ("/cancelled", "", "Cancelled orders", READ),
        ("/notifications/mark-read/{id}", "", "", DOUBTFUL),
        ("/notifications/{id}", "markRead", "", DOUBTFUL),
        (
            "/notifications/{id}",
            "",
            "Marks a notification as read",
            DOUBTFUL,
        ),
        ("/logout", "", "", DOUBTFUL),
        ("/log-out", "", "", DOUBTFUL),
    ] {
        assert_eq!(
            inferred("get", path, id, summary),
            expected,
            "{path} {id} {summary}"
        );
    }
    let (effect, always_asks, doubtful) = inferred("get", "/orders/{id}/cancel", "", "");
    assert_eq!(
        (effect, always_asks, doubtful),
        (Effect::AtMostOnce, true, true)
    );
}

#[test]
fn writes_that_delete_decide_pay_or_send_always_ask() {
    for (method, path, id, expected) in [
        ("post", "/tickets", "createTicket", WRITE),
        ("patch", "/tickets/{id}", "updateTicket", WRITE),
        ("delete", "/tickets/{id}", "", ASKS),
        ("post", "/tickets/{id}/delete", "", ASKS),
        ("post", "/passes/{id}/approve", "", ASKS),
        ("put", "/passes/{id}", "cancelPass", ASKS),
        ("post", "/invoices/{id}/payments", "", ASKS),
        ("post", "/messages", "sendMessage", ASKS),
        ("post", "/users/{id}/sendVerificationEmail", "", ASKS),
    ] {
        assert_eq!(
            inferred(method, path, id, ""),
            expected,
            "{method} {path} {id}"
        );
    }
}

#[test]
fn a_post_that_searches_stays_a_write_and_is_pointed_out() {
    assert_eq!(inferred("post", "/tickets/search", "", ""), DOUBTFUL);
}
