//! The audit: a row for every attempt, for its person and the operator, and for ever.

use frontdesk_core::access::Role;
use frontdesk_core::store::{AuditOutcome, AuditQuery, NewAudit, Record, StoreError, Turns};
use frontdesk_db::{Claims, DbError};

use crate::support::{at, delta, fresh, on_each, refused};

fn attempt(number: usize, outcome: AuditOutcome) -> NewAudit {
    NewAudit {
        call_id: format!("call_{number}"),
        tool: if number.is_multiple_of(2) {
            "even"
        } else {
            "odd"
        }
        .to_owned(),
        target: Some(format!("object {number}")),
        outcome,
        approver: (number == 3).then(fresh),
    }
}

const OUTCOMES: [AuditOutcome; 9] = [
    AuditOutcome::Executed,
    AuditOutcome::Denied,
    AuditOutcome::ApprovalRequested,
    AuditOutcome::Approved,
    AuditOutcome::Rejected,
    AuditOutcome::Expired,
    AuditOutcome::Failed,
    AuditOutcome::Unknown,
    AuditOutcome::Erased,
];

// design: promises P20
#[tokio::test]
async fn every_attempt_is_on_record_with_who_where_and_how_it_went() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let operator = ground.person_with("operator", &[Role::OPERATOR]).await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        let attempts: Vec<NewAudit> = OUTCOMES
            .iter()
            .enumerate()
            .map(|(number, outcome)| attempt(number, *outcome))
            .collect();
        let record = Record {
            entries: vec![delta(4, "abc")],
            audit: attempts.clone(),
            now: at(9),
            ..Record::default()
        };
        ground.store.record(&lease, record).await.unwrap();
        for who in [&ann, &operator] {
            let query = AuditQuery {
                limit: 4,
                ..AuditQuery::default()
            };
            let mut rows = Vec::new();
            let mut cursor = None;
            loop {
                let query = AuditQuery {
                    cursor,
                    ..query.clone()
                };
                let page = ground.store.audit(who, query).await.unwrap();
                rows.extend(page.items);
                cursor = page.cursor;
                if cursor.is_none() {
                    break;
                }
            }
            rows.reverse();
            assert_eq!(rows.len(), attempts.len());
            for (row, attempt) in rows.iter().zip(&attempts) {
                assert_eq!(row.at, at(9));
                assert_eq!(row.profile, ann.profile());
                assert_eq!(row.conversation, Some(id));
                assert_eq!(row.turn, Some(lease.turn));
                assert_eq!(row.call_id, attempt.call_id);
                assert_eq!(row.tool, attempt.tool);
                assert_eq!(row.target, attempt.target);
                assert_eq!(row.profile_name.as_deref(), Some("ann"));
                assert_eq!(row.outcome, attempt.outcome);
                assert_eq!(row.approver, attempt.approver);
            }
        }
        let query = AuditQuery {
            limit: 100,
            conversation: Some(id),
            tool: Some("even".to_owned()),
            ..AuditQuery::default()
        };
        let page = ground.store.audit(&ann, query.clone()).await.unwrap();
        assert_eq!((page.items.len(), page.has_more), (5, false));
        let page = ground.store.audit(&bob, query.clone()).await.unwrap();
        assert!(page.items.is_empty());
        let foreign = AuditQuery {
            cursor: Some("AAAA".to_owned()),
            ..query
        };
        let error = refused(ground.store.audit(&ann, foreign).await);
        assert!(matches!(error, StoreError::BadCursor), "{error}");
    })
    .await;
}

// design: promises P20
#[tokio::test]
async fn nobody_changes_or_removes_a_row() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        let record = Record {
            audit: vec![attempt(1, AuditOutcome::Executed)],
            now: at(9),
            ..Record::default()
        };
        ground.store.record(&lease, record).await.unwrap();
        for sql in [
            "UPDATE audit_log SET outcome = 'denied'",
            "DELETE FROM audit_log",
            "UPDATE journal SET epoch = 9",
        ] {
            let claims = Claims::subject(ann.subject());
            let result: Result<u64, DbError> = ground
                .db
                .write(&claims, move |tx| {
                    Box::pin(async move { tx.execute(sql, &[]).await })
                })
                .await;
            assert!(result.is_err(), "{sql} on {}", ground.name());
        }
        let left = ground
            .count(
                "SELECT count(*) AS n FROM audit_log WHERE outcome = 'executed'",
                vec![],
            )
            .await;
        assert_eq!(left, 1);
    })
    .await;
}
