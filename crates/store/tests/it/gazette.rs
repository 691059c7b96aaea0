//! News: told once committed, to every node, and never of what did not happen.

use std::time::Duration;

use frontdesk_core::access::Role;
use frontdesk_core::approval::Decision;
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::news::{ApprovalStep, News};
use frontdesk_core::store::{Approvals, Companies, Conversations, Record, Turns};
use frontdesk_store::{Gazette, Heard};

use crate::approvals::card;
use crate::support::{answered, at, fresh, new_conversation, on_each, opened, say};

/// The next news; a gap (a listener that has just connected) is none.
async fn next(listener: &mut Gazette) -> News {
    let heard = async {
        loop {
            match listener.next().await.unwrap() {
                Heard::News(news) => return news,
                Heard::Gap => {}
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), heard)
        .await
        .expect("no news came")
}

#[tokio::test]
async fn a_turn_and_a_card_are_told_to_another_node() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let admin = ground.person_with("admin", &[Role::ADMIN_USER]).await;
        // On SQLite there is one process.
        let other = if ground.test_database().is_some() {
            ground.second_node().await
        } else {
            ground.store.clone()
        };
        let mut listener = other.gazette().await.unwrap();
        let made = ground
            .store
            .create(&ann, new_conversation(at(0)))
            .await
            .unwrap();
        let changed = News::Conversation {
            conversation: made.id,
            owner: ann.profile(),
            company: None,
        };
        assert_eq!(next(&mut listener).await, changed);
        // What is refused is not told.
        ground
            .store
            .create(
                &ann,
                frontdesk_core::store::NewConversation {
                    company_id: Some(fresh()),
                    ..new_conversation(at(0))
                },
            )
            .await
            .unwrap_err();
        let lease = opened(
            ground
                .store
                .open(&ann, say(made.id, "Hello", at(1)))
                .await
                .unwrap(),
        )
        .lease;
        assert_eq!(next(&mut listener).await, changed);
        let asked = card(&ann, "c", &[Role::ADMIN_USER]);
        let record = Record {
            entries: vec![Entry {
                position: 2,
                event: Event::ApprovalRequested {
                    card: asked.clone(),
                },
            }],
            awaiting: vec![asked],
            now: at(2),
            ..Record::default()
        };
        ground.store.record(&lease, record).await.unwrap();
        let News::Approval {
            step,
            turn,
            call_id,
            requester,
            approvers,
            ..
        } = next(&mut listener).await
        else {
            panic!("not a card");
        };
        assert_eq!(
            (step, turn, call_id.as_str()),
            (ApprovalStep::Requested, lease.turn, "c")
        );
        assert_eq!(
            (requester, approvers),
            (ann.profile(), vec![Role::ADMIN_USER])
        );
        ground
            .store
            .decide(&admin, lease.turn, "c", Decision::Rejected, None, at(3))
            .await
            .unwrap();
        let decided = next(&mut listener).await;
        assert!(
            matches!(
                decided,
                News::Approval {
                    step: ApprovalStep::Decided,
                    ..
                }
            ),
            "{decided:?}"
        );
        assert!(decided.concerns(&ann) && decided.concerns(&admin));
        let taken = ground
            .store
            .take_over("n", at(400), Duration::from_secs(9))
            .await
            .unwrap()
            .unwrap();
        ground
            .store
            .finish(
                &taken.lease,
                answered("Hi", taken.entries.last().unwrap().position, at(401)),
            )
            .await
            .unwrap();
        assert_eq!(next(&mut listener).await, changed);
        ground.store.delete(&ann, made.id).await.unwrap();
        assert_eq!(next(&mut listener).await, changed);
    })
    .await;
}

#[tokio::test]
async fn whoever_loses_a_membership_is_told_on_every_node() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        let mut listener = ground.store.gazette().await.unwrap();
        ground
            .store
            .end_membership(&ann, company, bob.profile(), at(1))
            .await
            .unwrap();
        let left = News::Membership {
            profile: bob.profile(),
            company,
            joined: false,
        };
        assert_eq!(next(&mut listener).await, left);
    })
    .await;
}
