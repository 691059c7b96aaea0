//! The quick replies of discovery.

use serde_json::json;

use super::{Discovery, discovery_chips};
use crate::domain::keys::Key;

#[test]
fn chips_answer_the_next_question_and_offer_the_way_on() {
    let fresh = Discovery::default();
    assert_eq!(discovery_chips(&fresh)[0], "Hospital");
    let ready: Discovery = serde_json::from_value(json!({ "facts": [
        fact("company_type", "Restaurant"), fact("sqft", "450 m²"), fact("method", "Mop"), fact("duration", "2 hr"),
    ]}))
    .unwrap();
    assert_eq!(discovery_chips(&ready)[..2], ["Go to ROI", "<$2,000"]);
}

fn fact(key: &str, value: &str) -> serde_json::Value {
    let label = Key::named(key).unwrap().label();
    json!({ "question_id": key, "key": key, "label": label, "value": value, "group": "Company", "quote": value,
            "confidence": "high", "at": "2026-11-01T09:00:00Z" })
}
