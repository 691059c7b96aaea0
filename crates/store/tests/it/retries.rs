//! A message whose turn failed is answered again, without being said again.

use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::message::Message;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::store::{OpenTurn, Opening, StoreError, Turns};
use frontdesk_core::transcript::{Line, LineKind};
use serde_json::{Map, json};

use crate::support::{answered, at, ended, fresh, on_each, opened, refused, say};

fn retry(conversation: ConversationId, turn: TurnId) -> OpenTurn {
    let mut request = say(conversation, "", at(30));
    request.opening = Opening::Retry { turn };
    request
}

#[tokio::test]
async fn a_retry_continues_behind_what_the_failed_turn_left() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "Before", "Yes?").await;
        let mut request = say(id, "", ground.now());
        request.opening = Opening::Form {
            id: fresh(),
            content: "Do it".to_owned(),
            tool: "do_it".to_owned(),
            arguments: Map::from_iter([("n".to_owned(), json!(1))]),
        };
        let failed = opened(ground.store.open(&ann, request.clone()).await.unwrap());
        let step = Message::Assistant {
            content: Some("first step".to_owned()),
            tool_calls: Vec::new(),
        };
        let mut finish = ended(Outcome::OutOfBudget, 1, ground.now());
        finish.lines = vec![Line::new(LineKind::Answer, &step)];
        ground
            .store
            .finish(&failed.lease, finish.clone())
            .await
            .unwrap();

        let again = opened(
            ground
                .store
                .open(&ann, retry(id, failed.lease.turn))
                .await
                .unwrap(),
        );
        assert_eq!(again.opening, request.opening);
        assert_eq!(again.user_message.id, failed.user_message.id);
        assert_eq!(
            again.user_message.metadata.get("turn_id"),
            Some(&json!(again.lease.turn))
        );
        assert_eq!(again.history.as_bytes(), failed.history.as_bytes());
        let mut tail = failed.tail.clone();
        tail.extend(finish.lines);
        assert_eq!(again.tail, tail);
        let finish = answered("Done", 1, ground.now());
        ground.store.finish(&again.lease, finish).await.unwrap();
        let page = ground.store.messages(&ann, id, None, 9).await.unwrap();
        let said: Vec<_> = page.items.iter().map(|m| m.content.as_str()).collect();
        assert_eq!(said, ["Before", "Yes?", "Do it", "Done"]);
    })
    .await;
}

#[tokio::test]
async fn only_the_last_turn_and_only_a_failed_one_is_tried_again() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let done = ground.talk(&ann, id, "one", "1").await;
        let error = refused(ground.store.open(&ann, retry(id, done)).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
        let failed = ground.open(&ann, id, "two").await.lease;
        ground.fail(&failed, Outcome::TimedOut).await;
        let elsewhere = ground.conversation(&ann).await.id;
        for (conversation, turn) in [(id, fresh()), (elsewhere, failed.turn)] {
            let error = refused(ground.store.open(&ann, retry(conversation, turn)).await);
            assert!(matches!(error, StoreError::NotFound), "{error}");
        }
        ground.talk(&ann, id, "three", "3").await;
        let error = refused(ground.store.open(&ann, retry(id, failed.turn)).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    })
    .await;
}
