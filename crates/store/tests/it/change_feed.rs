//! News: told once committed, to every node, and never of what did not happen.

use std::time::Duration;

use frontdesk_core::access::Role;
use frontdesk_core::approval::Decision;
use frontdesk_core::change_notice::{ApprovalStep, ChangeNotice};
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::store::{Record, Turns};
use frontdesk_store::{ChangeFeed, FeedItem, Store};

use crate::approvals::card;
use crate::support::{Ground, at, fresh, new_conversation, on_each};

/// The next news; a gap (a listener that has just connected) is none.
async fn next(listener: &mut ChangeFeed) -> ChangeNotice {
    let heard = async {
        loop {
            match listener.next().await.unwrap() {
                FeedItem::Notice(notice) => return notice,
                FeedItem::TurnAdvanced(_) | FeedItem::TurnCancelled(_) | FeedItem::Gap => {}
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), heard)
        .await
        .unwrap_or_else(|_| panic!("no news came"))
}

/// The next news of a card; what another node said of its conversation before may still be on its way.
async fn next_of_a_card(listener: &mut ChangeFeed) -> ChangeNotice {
    loop {
        let news = next(listener).await;
        if !matches!(news, ChangeNotice::Conversation { .. }) {
            return news;
        }
    }
}

/// A store on another node; on SQLite there is one process.
async fn elsewhere(ground: &Ground) -> Store {
    match ground.test_database() {
        Some(_) => ground.second_node().await,
        None => ground.store.clone(),
    }
}

#[tokio::test]
async fn changes_of_a_conversation_are_told_to_another_node() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let other = elsewhere(&ground).await;
        let mut listener = other.change_feed().await.unwrap();
        let made = ground.conversation(&ann).await;
        let changed = ChangeNotice::Conversation {
            conversation: made.id,
            owner: ann.profile(),
            company: None,
            private: false,
        };
        assert_eq!(next(&mut listener).await, changed);
        // A refused change is not published.
        let mut refused = new_conversation(at(0));
        refused.company_id = Some(fresh());
        ground.store.create(&ann, refused).await.unwrap_err();
        ground.talk(&ann, made.id, "Hello", "Hi").await;
        assert_eq!(next(&mut listener).await, changed);
        // The worker publishes the end of its turn.
        ground.store.publish(&changed);
        assert_eq!(next(&mut listener).await, changed);
        ground.store.reset(&ann, made.id).await.unwrap();
        assert_eq!(next(&mut listener).await, changed);
        ground.store.delete(&ann, made.id).await.unwrap();
        assert_eq!(next(&mut listener).await, changed);
    })
    .await;
}

#[tokio::test]
async fn a_card_is_told_when_it_is_laid_out_and_when_it_is_decided() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let admin = ground.person_with("admin", &[Role::ADMIN_USER]).await;
        let conversation = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, conversation, "Hello").await.lease;
        let other = elsewhere(&ground).await;
        let mut listener = other.change_feed().await.unwrap();
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
        let told = |step| ChangeNotice::Approval {
            step,
            conversation,
            turn: lease.turn,
            call_id: "c".to_owned(),
            requester: ann.profile(),
            company: None,
            approvers: vec![Role::ADMIN_USER],
        };
        assert_eq!(
            next_of_a_card(&mut listener).await,
            told(ApprovalStep::Requested)
        );
        let decision = Decision::Rejected;
        ground
            .store
            .decide(&admin, lease.turn, "c", decision.into(), at(3))
            .await
            .unwrap();
        assert_eq!(
            next_of_a_card(&mut listener).await,
            told(ApprovalStep::Decided)
        );
    })
    .await;
}

#[tokio::test]
async fn whoever_loses_a_membership_is_told_on_every_node() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        let mut listener = ground.store.change_feed().await.unwrap();
        ground
            .store
            .end_membership(&ann, company, bob.profile(), at(1))
            .await
            .unwrap();
        let left = ChangeNotice::Membership {
            profile: bob.profile(),
            company,
            joined: false,
        };
        assert_eq!(next(&mut listener).await, left);
    })
    .await;
}
