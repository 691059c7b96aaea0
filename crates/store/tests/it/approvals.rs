//! Decisions: by those who may, once, in time, and never lost.

use std::time::Duration;

use chrono::{DateTime, Utc};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::approval::{ApprovalCard, CardTarget, DecideError, Decision, Seal};
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{AuditOutcome, Lease, NewDecision, Record, StoreError, Turns};
use serde_json::{Map, json};

use crate::support::{Ground, at, fresh, on_each, refused};

pub(crate) fn card(who: &Principal, call_id: &str, approvers: &[Role]) -> ApprovalCard {
    let arguments = Map::from_iter([("pass_number".to_owned(), json!("GP-2026-0001"))]);
    ApprovalCard {
        call_id: call_id.to_owned(),
        tool: "delete_gate_pass".to_owned(),
        title: "Delete gate pass".to_owned(),
        seal: Seal::over(
            "delete_gate_pass",
            &arguments,
            fresh(),
            call_id,
            who.profile(),
        ),
        arguments: json!(arguments),
        requested_by: who.profile(),
        requester: who.name().to_owned(),
        approvers: approvers.to_vec(),
        expires_at: at(600),
        editable: approvers.is_empty(),
        form: Vec::new(),
        confirm: "Delete it".to_owned(),
        decline: String::new(),
        consequence: String::new(),
        destructive: false,
        target: None,
        origins: Vec::new(),
        preview: false,
        confirms: Vec::new(),
    }
}

/// A turn that waits for these cards.
pub(crate) async fn paused(ground: &Ground, who: &Principal, cards: Vec<ApprovalCard>) -> Lease {
    let id = ground.conversation(who).await.id;
    paused_in(ground, who, id, cards).await
}

pub(crate) async fn paused_in(
    ground: &Ground,
    who: &Principal,
    id: frontdesk_core::id::ConversationId,
    cards: Vec<ApprovalCard>,
) -> Lease {
    let turn = ground.open(who, id, "Delete it").await;
    let entries = cards
        .iter()
        .zip(2..)
        .map(|(card, position)| Entry {
            position,
            event: Event::ApprovalRequested { card: card.clone() },
        })
        .collect();
    let record = Record {
        entries,
        awaiting: cards,
        now: at(1),
        ..Record::default()
    };
    ground.store.record(&turn.lease, record).await.unwrap();
    turn.lease
}

async fn take(ground: &Ground, now: DateTime<Utc>) -> Option<frontdesk_core::store::Opened> {
    ground
        .store
        .take_over("node-2", now, Duration::from_secs(30))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_turn_waits_until_its_card_is_decided() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let asked = card(&ann, "call_1", &[]);
        let lease = paused(&ground, &ann, vec![asked.clone()]).await;
        let id = lease.conversation;
        let status = ground.store.turn(&ann, id, lease.turn).await.unwrap();
        assert_eq!(status.state, TurnState::AwaitingApproval);
        assert_eq!(status.approvals, std::slice::from_ref(&asked));
        let pending = ground.store.pending(&ann, at(2)).await.unwrap();
        assert_eq!(pending.len(), 1);
        assert_eq!(pending[0].card, asked);
        assert_eq!(pending[0].turn_id, lease.turn);
        assert_eq!(pending[0].conversation_id, id);
        assert_eq!(pending[0].assistant, "docs");
        // The lease is given up, and nobody can take the turn before the decision.
        let error = refused(ground.store.renew(&lease, at(99)).await);
        assert!(matches!(error, StoreError::Fenced), "{error}");
        assert!(take(&ground, at(500)).await.is_none());

        let decided = ground
            .store
            .decide(
                &ann,
                lease.turn,
                "call_1",
                NewDecision {
                    reason: Some("go on".to_owned()),
                    ..Decision::Approved.into()
                },
                at(301),
            )
            .await
            .unwrap();
        assert_eq!(decided, pending[0]);
        let pending = ground.store.pending(&ann, at(301)).await.unwrap();
        assert!(pending.is_empty());
        let entries = ground.store.entries(&ann, id, lease.turn, 2).await.unwrap();
        let event = Event::ApprovalDecided {
            call_id: "call_1".to_owned(),
            decision: Decision::Approved,
            by: Some("ann".to_owned()),
            reason: Some("go on".to_owned()),
            arguments: None,
            state: None,
        };
        assert_eq!(entries, [Entry { position: 3, event }]);

        let resumed = take(&ground, at(301)).await.unwrap();
        assert_eq!(resumed.lease.turn, lease.turn);
        assert_eq!(resumed.lease.epoch, lease.epoch + 1);
        assert_eq!(resumed.entries.len(), 3);
        // The time a person took to decide is not the turn's.
        assert_eq!(resumed.deadline, at(1 + 120 + 300));
        let status = ground.store.turn(&ann, id, lease.turn).await.unwrap();
        assert_eq!(status.state, TurnState::Running);
        assert!(status.approvals.is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_second_decision_is_a_conflict() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let lease = paused(&ground, &ann, vec![card(&ann, "call_1", &[])]).await;
        let decide = |decision: Decision, now| {
            ground
                .store
                .decide(&ann, lease.turn, "call_1", decision.into(), now)
        };
        decide(Decision::Rejected, at(2)).await.unwrap();
        for now in [at(3), at(9999)] {
            let error = refused(decide(Decision::Approved, now).await);
            assert!(matches!(error, StoreError::Conflict(_)), "{error}");
        }
        let entries = ground
            .store
            .entries(&ann, lease.conversation, lease.turn, 2)
            .await
            .unwrap();
        assert_eq!(entries.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn who_may_decide_is_the_cards_rule() {
    on_each(|ground| async move {
        let ann = ground.person_with("ann", &[Role::HR_USER]).await;
        let admin = ground.person_with("admin", &[Role::ADMIN_USER]).await;
        let guard = ground.person_with("guard", &[Role::GATE_USER]).await;
        let lease = paused(&ground, &ann, vec![card(&ann, "c", &[Role::ADMIN_USER])]).await;
        let decide = |who: &Principal, call: &'static str, now| {
            let (store, who, turn) = (ground.store.clone(), who.clone(), lease.turn);
            async move {
                store
                    .decide(&who, turn, call, Decision::Approved.into(), now)
                    .await
            }
        };
        let pending = |who: &Principal| {
            let (store, who) = (ground.store.clone(), who.clone());
            async move { store.pending(&who, at(2)).await.unwrap().len() }
        };
        assert_eq!(
            [
                pending(&ann).await,
                pending(&admin).await,
                pending(&guard).await
            ],
            [0, 1, 0]
        );
        let error = refused(decide(&ann, "c", at(2)).await);
        assert!(
            matches!(
                error,
                StoreError::Undecidable(DecideError::NotAnApprover(_))
            ),
            "{error}"
        );
        let error = refused(decide(&guard, "c", at(2)).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        let error = refused(decide(&ann, "no such call", at(2)).await);
        assert!(matches!(error, StoreError::NotFound), "{error}");
        let error = refused(decide(&guard, "no such call", at(2)).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        let error = refused(
            ground
                .store
                .decide(&ann, fresh(), "c", Decision::Approved.into(), at(2))
                .await,
        );
        assert!(matches!(error, StoreError::NotFound), "{error}");
        let error = refused(decide(&admin, "c", at(601)).await);
        assert!(
            matches!(error, StoreError::Undecidable(DecideError::Expired)),
            "{error}"
        );
        decide(&admin, "c", at(600)).await.unwrap();
        // An approver's right ends at the card: the conversation stays foreign.
        let error = refused(
            ground
                .store
                .turn(&admin, lease.conversation, lease.turn)
                .await,
        );
        assert!(matches!(error, StoreError::Forbidden), "{error}");
    })
    .await;
}

#[tokio::test]
async fn an_approver_of_another_company_does_not_see_the_card() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let inside = ground.person_with("inside", &[Role::ADMIN_USER]).await;
        let outside = ground.person_with("outside", &[Role::ADMIN_USER]).await;
        let company = ground.company(&ann, &[&inside]).await;
        let id = ground.conversation_in(&ann, Some(company)).await.id;
        let asked = card(&ann, "c", &[Role::ADMIN_USER]);
        let lease = paused_in(&ground, &ann, id, vec![asked]).await;
        assert!(
            ground
                .store
                .pending(&outside, at(2))
                .await
                .unwrap()
                .is_empty()
        );
        let error = refused(
            ground
                .store
                .decide(&outside, lease.turn, "c", Decision::Approved.into(), at(2))
                .await,
        );
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        assert_eq!(ground.store.pending(&inside, at(2)).await.unwrap().len(), 1);
        ground
            .store
            .decide(&inside, lease.turn, "c", Decision::Approved.into(), at(2))
            .await
            .unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_turn_goes_on_when_all_cards_are_decided_or_expired() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let mut early = card(&ann, "early", &[]);
        early.expires_at = at(100);
        let late = card(&ann, "late", &[]);
        let lease = paused(&ground, &ann, vec![early, late]).await;
        assert!(take(&ground, at(101)).await.is_none(), "one is still open");
        ground
            .store
            .decide(&ann, lease.turn, "late", Decision::Approved.into(), at(90))
            .await
            .unwrap();
        assert!(take(&ground, at(100)).await.is_none(), "not expired yet");
        let resumed = take(&ground, at(101)).await.unwrap();
        let expected = Event::ApprovalDecided {
            call_id: "early".to_owned(),
            decision: Decision::Expired,
            by: None,
            reason: None,
            arguments: None,
            state: None,
        };
        let last = resumed.entries.last().unwrap();
        assert_eq!((last.position, &last.event), (5, &expected));
        let outcomes: Vec<String> = ground
            .rows("SELECT outcome FROM audit_log ORDER BY id", vec![])
            .await
            .iter()
            .map(|row| row.get("outcome").unwrap())
            .collect();
        assert_eq!(
            outcomes,
            [
                AuditOutcome::Approved.as_str(),
                AuditOutcome::Expired.as_str()
            ]
        );
        let error = refused(
            ground
                .store
                .decide(&ann, lease.turn, "early", Decision::Approved.into(), at(99))
                .await,
        );
        assert!(matches!(error, StoreError::Undecidable(_)), "{error}");
    })
    .await;
}

#[tokio::test]
async fn pending_cards_come_oldest_first_and_leave_when_they_expire() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let mut expected = Vec::new();
        for _ in 0..3 {
            let lease = paused(&ground, &ann, vec![card(&ann, "c", &[])]).await;
            expected.push(lease.turn);
        }
        let turns = |now| {
            let (store, ann) = (ground.store.clone(), ann.clone());
            async move {
                let pending = store.pending(&ann, now).await.unwrap();
                pending.iter().map(|p| p.turn_id).collect::<Vec<_>>()
            }
        };
        assert_eq!(turns(at(600)).await, expected);
        assert!(turns(at(601)).await.is_empty());
    })
    .await;
}

fn edited(number: &str) -> NewDecision {
    NewDecision {
        arguments: Some(Map::from_iter([("pass_number".to_owned(), json!(number))])),
        ..Decision::Approved.into()
    }
}

/// The journal carries what a person made of the arguments, and the card keeps what was asked.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_sealed_anew_with_the_arguments_that_its_requester_approves() {
    on_each(async |ground| {
        let ann = ground.person("ann").await;
        let asked = card(&ann, "c", &[]);
        let lease = paused(&ground, &ann, vec![asked.clone()]).await;
        let other = ground.person("bob").await;
        let foreign = ground
            .store
            .decide(&other, lease.turn, "c", edited("GP-2026-0009"), at(2))
            .await;
        assert!(matches!(foreign, Err(StoreError::Forbidden)), "{foreign:?}");
        let rejected = NewDecision {
            decision: Decision::Rejected,
            ..edited("GP-2026-0009")
        };
        let rejected = ground
            .store
            .decide(&ann, lease.turn, "c", rejected, at(2))
            .await;
        assert!(
            matches!(rejected, Err(StoreError::Conflict(_))),
            "{rejected:?}"
        );

        let decided = ground
            .store
            .decide(&ann, lease.turn, "c", edited("GP-2026-0002"), at(3))
            .await
            .unwrap();
        let arguments = edited("GP-2026-0002").arguments.unwrap();
        assert_eq!(
            decided.card,
            asked.clone().with_arguments(lease.turn, arguments.clone())
        );
        assert_ne!(decided.card.seal, asked.seal);
        let again = ground
            .store
            .decide(&ann, lease.turn, "c", edited("GP-2026-0003"), at(4))
            .await;
        assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");

        let resumed = take(&ground, at(5)).await.unwrap();
        let event = Event::ApprovalDecided {
            call_id: "c".to_owned(),
            decision: Decision::Approved,
            by: Some("ann".to_owned()),
            reason: None,
            arguments: Some(arguments),
            state: None,
        };
        assert_eq!(
            resumed.entries.last().map(|entry| &entry.event),
            Some(&event)
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_approval_of_others_changes_no_arguments() {
    on_each(async |ground| {
        let ann = ground.person("ann").await;
        let admin = ground.person_with("admin", &[Role::ADMIN_USER]).await;
        let lease = paused(&ground, &ann, vec![card(&ann, "c", &[Role::ADMIN_USER])]).await;
        let changed = ground
            .store
            .decide(&admin, lease.turn, "c", edited("GP-2026-0002"), at(2))
            .await;
        assert!(
            matches!(changed, Err(StoreError::Conflict(_))),
            "{changed:?}"
        );
        ground
            .store
            .decide(&admin, lease.turn, "c", Decision::Approved.into(), at(3))
            .await
            .unwrap();
    })
    .await;
}

/// A reader of the audit must not find the object of the first request beside a decision about
/// another one.
#[tokio::test]
async fn the_audit_names_the_object_that_was_approved() {
    on_each(async |ground| {
        let ann = ground.person("ann").await;
        let target = |value: &str| CardTarget {
            argument: "pass_number".to_owned(),
            value: value.to_owned(),
        };
        let asked = ApprovalCard {
            target: Some(target("GP-2026-0001")),
            ..card(&ann, "c", &[])
        };
        let lease = paused(&ground, &ann, vec![asked]).await;
        let decided = ground
            .store
            .decide(&ann, lease.turn, "c", edited("GP-2026-0002"), at(2))
            .await
            .unwrap();
        assert_eq!(decided.card.target, Some(target("GP-2026-0002")));
        let sql = "SELECT count(*) AS n FROM audit_log WHERE outcome = $1 AND target = $2";
        let row = vec!["approved".into(), "GP-2026-0002".into()];
        assert_eq!(ground.count(sql, row).await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_withdrawn_card_says_so() {
    on_each(async |ground| {
        let ann = ground.person("ann").await;
        let lease = paused(&ground, &ann, vec![card(&ann, "c", &[])]).await;
        let store = &ground.store;
        store
            .cancel(&ann, lease.conversation, lease.turn, at(2))
            .await
            .unwrap();
        let decided = store
            .decide(&ann, lease.turn, "c", Decision::Approved.into(), at(3))
            .await;
        let error = refused(decided).to_string();
        assert!(error.contains("was withdrawn"), "{error}");
    })
    .await;
}
