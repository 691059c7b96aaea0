//! Opinions: one's own, changeable, only on what one can see.

use frontdesk_core::id::{ConversationId, MessageId};
use frontdesk_core::store::{NewFeedback, Rating, Speaker, StoreError};

use crate::support::{Ground, at, fresh, on_each, refused};
use frontdesk_core::access::Principal;

async fn message_of(
    ground: &Ground,
    who: &Principal,
    conversation: ConversationId,
    role: Speaker,
) -> MessageId {
    let page = ground.store.messages(who, conversation, None, 10).await;
    let found = page.unwrap().items.into_iter().find(|m| m.role == role);
    found.unwrap().id
}

fn opinion(message: MessageId, rating: Rating, comment: Option<&str>) -> NewFeedback {
    NewFeedback {
        message,
        rating,
        comment: comment.map(str::to_owned),
        now: at(50),
    }
}

// design: 001 extension feedback
#[tokio::test]
async fn everyone_has_one_opinion_and_may_change_it() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        let conversation = ground.conversation_in(&ann, Some(company)).await.id;
        ground.talk(&ann, conversation, "Hello", "Hi").await;
        let answer = message_of(&ground, &ann, conversation, Speaker::Assistant).await;

        assert_eq!(ground.store.opinion(&ann, answer).await.unwrap(), None);
        let new = opinion(answer, Rating::Up, Some("good"));
        let kept = ground.store.rate(&ann, new).await.unwrap();
        let new = opinion(answer, Rating::Down, None);
        let changed = ground.store.rate(&ann, new).await.unwrap();
        assert_eq!(changed.rating, Rating::Down);
        assert_eq!(changed.comment, None);
        assert_eq!(changed.created_at, kept.created_at);
        assert_eq!(
            ground.store.opinion(&ann, answer).await.unwrap(),
            Some(changed)
        );
        // A colleague sees the message and has an opinion of their own.
        assert_eq!(ground.store.opinion(&bob, answer).await.unwrap(), None);
        let new = opinion(answer, Rating::Up, None);
        ground.store.rate(&bob, new).await.unwrap();
        ground.store.forget(&ann, answer).await.unwrap();
        assert_eq!(ground.store.opinion(&ann, answer).await.unwrap(), None);
        assert!(ground.store.opinion(&bob, answer).await.unwrap().is_some());
        // It goes with the message.
        ground.store.reset(&ann, conversation).await.unwrap();
        let left = ground
            .count("SELECT count(*) AS n FROM message_feedback", vec![])
            .await;
        assert_eq!(left, 0);
    })
    .await;
}

// design: 001 extension feedback
#[tokio::test]
async fn only_an_answer_that_one_can_see_is_rated() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let eve = ground.person("eve").await;
        let conversation = ground.conversation(&ann).await.id;
        ground.talk(&ann, conversation, "Hello", "Hi").await;
        let answer = message_of(&ground, &ann, conversation, Speaker::Assistant).await;
        let question = message_of(&ground, &ann, conversation, Speaker::User).await;
        let rate = |who: &Principal, message| {
            let (store, who) = (ground.store.clone(), who.clone());
            async move { store.rate(&who, opinion(message, Rating::Up, None)).await }
        };
        assert!(matches!(
            refused(rate(&eve, answer).await),
            StoreError::Forbidden
        ));
        assert!(matches!(
            refused(rate(&eve, fresh()).await),
            StoreError::NotFound
        ));
        assert!(matches!(
            refused(rate(&ann, question).await),
            StoreError::Conflict(_)
        ));
        let foreign = ground.store.opinion(&eve, answer).await;
        assert!(matches!(refused(foreign), StoreError::Forbidden));
    })
    .await;
}
