//! Access follows the present: whoever left a company has no part in its conversations, whether
//! or not they began them.

use std::time::Duration;

use frontdesk_core::access::{Principal, Role};
use frontdesk_core::approval::Decision;
use frontdesk_core::event::Event;
use frontdesk_core::id::CompanyId;
use frontdesk_core::store::{
    Artifacts, AuditOutcome, ConversationPatch, ConversationQuery, StoreError, Turns,
};
use serde_json::Map;

use crate::approvals::{card, paused_in};
use crate::support::{Ground, at, new_conversation, on_each, refused, say};

fn give(to: &Principal) -> ConversationPatch {
    ConversationPatch {
        title: None,
        owner: Some(to.profile()),
        phase: None,
        metadata: Map::new(),
        now: at(60),
    }
}

fn everything() -> ConversationQuery {
    ConversationQuery {
        limit: 100,
        ..ConversationQuery::default()
    }
}

struct Acme {
    owner: Principal,
    ann: Principal,
    bob: Principal,
    company: CompanyId,
}

async fn acme(ground: &Ground) -> Acme {
    let owner = ground.person("owner").await;
    let ann = ground.person("ann").await;
    let bob = ground.person_with("bob", &[Role::ADMIN_USER]).await;
    let company = ground.company(&owner, &[&ann, &bob]).await;
    Acme {
        owner,
        ann,
        bob,
        company,
    }
}

#[tokio::test]
async fn who_began_a_conversation_and_left_has_no_part_in_it() {
    on_each(|ground| async move {
        let Acme {
            owner,
            ann,
            company,
            ..
        } = acme(&ground).await;
        let store = &ground.store;
        let own = ground.conversation(&ann).await.id;
        let begun = ground.conversation_in(&ann, Some(company)).await.id;
        let turn = ground.talk(&ann, begun, "Hello", "Good day").await;
        let cards = vec![card(&ann, "call_1", &[])];
        let waits = ground.conversation_in(&ann, Some(company)).await.id;
        let lease = paused_in(&ground, &ann, waits, cards).await;
        store.remove_member(company, ann.profile()).await.unwrap();

        for error in [
            refused(store.get(&ann, begun).await),
            refused(store.messages(&ann, begun, None, 10).await),
            refused(store.turn(&ann, begun, turn).await),
            refused(store.entries(&ann, begun, turn, 0).await),
            refused(store.all(&ann, begun).await),
            refused(store.open(&ann, say(begun, "More", at(50))).await),
            refused(store.cancel(&ann, waits, lease.turn, at(50)).await),
            refused(store.update(&ann, begun, give(&ann)).await),
            refused(store.reset(&ann, begun).await),
            refused(store.delete(&ann, begun).await),
            refused(
                store
                    .decide(
                        &ann,
                        lease.turn,
                        "call_1",
                        Decision::Approved.into(),
                        at(50),
                    )
                    .await,
            ),
        ] {
            assert!(matches!(error, StoreError::Forbidden), "{error}");
        }
        assert_eq!(store.pending(&ann, at(50)).await.unwrap(), []);
        let listed = store.list(&ann, everything()).await.unwrap().items;
        assert_eq!(listed.iter().map(|c| c.id).collect::<Vec<_>>(), [own]);
        let in_company = ConversationQuery {
            company_id: Some(company),
            ..everything()
        };
        let foreign = refused(store.list(&ann, in_company).await);
        assert!(matches!(foreign, StoreError::NotAMember), "{foreign}");
        // Her conversations stay for those who are members now.
        assert_eq!(store.get(&owner, begun).await.unwrap().message_count, 2);
    })
    .await;
}

#[tokio::test]
async fn the_companys_owner_deletes_and_gives_away_and_nobody_else_does() {
    on_each(|ground| async move {
        let Acme {
            owner,
            ann,
            bob,
            company,
        } = acme(&ground).await;
        let stranger = ground.person("eve").await;
        let store = &ground.store;
        let begun = ground.conversation_in(&ann, Some(company)).await.id;
        let other = ground.conversation_in(&ann, Some(company)).await.id;
        store.remove_member(company, ann.profile()).await.unwrap();

        let error = refused(store.update(&bob, begun, give(&bob)).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        for outside in [&ann, &stranger] {
            let error = refused(store.update(&owner, begun, give(outside)).await);
            assert!(matches!(error, StoreError::Conflict(_)), "{error}");
        }
        let given = store.update(&owner, begun, give(&bob)).await.unwrap();
        assert_eq!(given.user_id, bob.profile());
        assert_eq!(store.get(&bob, begun).await.unwrap(), given);
        // The new owner may do what an owner may, and give it back.
        store.reset(&bob, begun).await.unwrap();
        store.update(&bob, begun, give(&owner)).await.unwrap();

        let error = refused(store.delete(&bob, other).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        store.delete(&owner, other).await.unwrap();
        let error = refused(store.get(&owner, other).await);
        assert!(matches!(error, StoreError::NotFound), "{error}");
        // A private conversation stays its owner's.
        let private = ground.conversation(&bob).await.id;
        let error = refused(store.update(&bob, private, give(&owner)).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_conversation_about_a_subject_is_for_its_own_person_while_they_are_a_member() {
    on_each(|ground| async move {
        let Acme {
            owner,
            ann,
            bob,
            company,
        } = acme(&ground).await;
        let store = &ground.store;
        let mut new = new_conversation(at(0));
        new.subject = Some("gig-1".to_owned());
        let error = refused(store.create(&ann, new.clone()).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
        new.company_id = Some(company);
        let begun = store.create(&ann, new).await.unwrap().id;
        let turn = ground.talk(&ann, begun, "Who is best?", "Anna").await;
        for colleague in [&owner, &bob] {
            for error in [
                refused(store.get(colleague, begun).await),
                refused(store.entries(colleague, begun, turn, 0).await),
                refused(store.open(colleague, say(begun, "More", at(50))).await),
                refused(store.delete(colleague, begun).await),
                refused(store.update(colleague, begun, give(colleague)).await),
            ] {
                assert!(matches!(error, StoreError::Forbidden), "{error}");
            }
            let listed = store.list(colleague, everything()).await.unwrap();
            assert_eq!(listed.items, []);
        }
        assert_eq!(store.list(&ann, everything()).await.unwrap().items.len(), 1);
        let error = refused(store.update(&ann, begun, give(&bob)).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");

        store.remove_member(company, ann.profile()).await.unwrap();
        let error = refused(store.get(&ann, begun).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        assert_eq!(store.list(&ann, everything()).await.unwrap().items, []);
    })
    .await;
}

#[tokio::test]
async fn a_turn_ends_when_its_person_leaves() {
    on_each(|ground| async move {
        let Acme { ann, company, .. } = acme(&ground).await;
        let begun = ground.conversation_in(&ann, Some(company)).await.id;
        let lease = ground.open(&ann, begun, "Hello").await.lease;
        let store = &ground.store;
        store.remove_member(company, ann.profile()).await.unwrap();
        let error = refused(store.renew(&lease, at(99)).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        let error = refused(
            store
                .finish(&lease, crate::support::answered("Late", 1, at(5)))
                .await,
        );
        assert!(matches!(error, StoreError::Forbidden), "{error}");
    })
    .await;
}

#[tokio::test]
async fn an_approval_counts_no_more_when_its_decider_has_left_before_it_runs() {
    on_each(|ground| async move {
        let Acme {
            ann, bob, company, ..
        } = acme(&ground).await;
        let store = &ground.store;
        let begun = ground.conversation_in(&ann, Some(company)).await.id;
        let cards = vec![card(&ann, "call_1", &[Role::ADMIN_USER])];
        let lease = paused_in(&ground, &ann, begun, cards).await;
        let approved = Decision::Approved.into();
        store
            .decide(&bob, lease.turn, "call_1", approved, at(2))
            .await
            .unwrap();
        assert_eq!(store.decided(&bob, at(0)).await.unwrap().len(), 1);
        store.remove_member(company, bob.profile()).await.unwrap();
        // Decisions there are not visible to a former member either.
        assert_eq!(store.decided(&bob, at(0)).await.unwrap(), []);
        assert_eq!(store.decided(&ann, at(0)).await.unwrap().len(), 1);
        let resumed = store
            .take_over("node-2", at(3), Duration::from_secs(30))
            .await
            .unwrap()
            .unwrap();
        let last = resumed.entries.last().unwrap();
        assert!(
            matches!(&last.event, Event::ApprovalDecided { call_id, decision: Decision::Rejected, by: None, .. }
                if call_id == "call_1"),
            "{last:?}"
        );
        let sql = "SELECT count(*) AS n FROM audit_log WHERE outcome = $1";
        let denied = vec![AuditOutcome::Denied.as_str().into()];
        assert_eq!(ground.count(sql, denied).await, 1);
    })
    .await;
}
