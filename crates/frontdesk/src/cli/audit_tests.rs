//! Audit rows as text.

use chrono::DateTime;
use frontdesk_core::id::ProfileId;
use uuid::Uuid;

use super::*;

#[test]
fn a_row_names_the_requester_the_decider_and_the_object() {
    let person = |number| ProfileId::from_uuid(Uuid::from_u128(number));
    let mut row = AuditRow {
        id: 1,
        at: DateTime::UNIX_EPOCH,
        profile: person(1),
        profile_name: Some("Hana Malik".to_owned()),
        conversation: None,
        turn: None,
        call_id: "c".to_owned(),
        tool: "delete_pass".to_owned(),
        target: Some("GP-2026-0012".to_owned()),
        outcome: AuditOutcome::Rejected,
        approver: Some(person(2)),
        approver_name: Some("Omar Farooq".to_owned()),
    };
    assert_eq!(
        in_words(&row),
        "1970-01-01 00:00:00  delete_pass GP-2026-0012: declined by Omar Farooq, asked for by Hana Malik"
    );
    row.outcome = AuditOutcome::Executed;
    assert_eq!(
        in_words(&row),
        "1970-01-01 00:00:00  delete_pass GP-2026-0012: executed, approved by Omar Farooq, asked for by Hana Malik"
    );
    (row.approver, row.target) = (None, None);
    assert_eq!(
        in_words(&row),
        "1970-01-01 00:00:00  delete_pass: executed, asked for by Hana Malik"
    );
}
