//! The end of a turn: outcome, answer, usage and transcript at once.

use frontdesk_core::id::MessageId;
use frontdesk_core::model::{ModelErrorKind, Usage};
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{Answer, Speaker, StoreError, StoredMessage, Turns};
use serde_json::{Map, json};

use crate::support::{answered, at, ended, fresh, on_each, refused};

#[tokio::test]
async fn the_answer_is_stored_as_given_and_names_its_turn() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let turn = ground.open(&ann, id, "Hello").await;
        let answer: MessageId = fresh();
        let calls = json!([{"id": "c1", "name": "find", "ok": true}]);
        let mut finish = answered("Hi – „ü“", 1, at(20));
        finish.answer = Some(Answer {
            id: answer,
            content: "Hi – „ü“".to_owned(),
            metadata: Map::from_iter([("tool_calls".to_owned(), calls.clone())]),
        });
        finish.usage = Usage {
            input_tokens: 120,
            output_tokens: 30,
            cached_tokens: 100,
            estimated: true,
        };
        ground.store.finish(&turn.lease, finish).await.unwrap();

        let expected = StoredMessage {
            id: answer,
            conversation_id: id,
            role: Speaker::Assistant,
            author: None,
            content: "Hi – „ü“".to_owned(),
            metadata: Map::from_iter([
                ("tool_calls".to_owned(), calls),
                ("turn_id".to_owned(), json!(turn.lease.turn)),
            ]),
            created_at: at(20),
            rating: None,
            versions: Vec::new(),
        };
        let page = ground.store.messages(&ann, id, None, 9).await.unwrap();
        assert_eq!(page.items, [turn.user_message.clone(), expected.clone()]);
        let status = ground.store.turn(&ann, id, turn.lease.turn).await.unwrap();
        assert_eq!(status.id, turn.lease.turn);
        assert_eq!(status.conversation_id, id);
        assert_eq!(status.state, TurnState::Completed);
        assert_eq!(status.outcome, Some(Outcome::Answered));
        assert_eq!(status.user_message, turn.user_message);
        assert_eq!(status.agent_message, Some(expected));
        assert_eq!(status.position, 2);
        assert_eq!(status.started_at, turn.user_message.created_at);
        assert_eq!(status.ended_at, Some(at(20)));
        let conversation = ground.store.get(&ann, id).await.unwrap();
        assert_eq!(conversation.message_count, 2);
        assert_eq!(conversation.last_message_at, Some(at(20)));
        assert_eq!(conversation.updated_at, at(20));
        let usage = ground
            .rows(
                "SELECT input_tokens, output_tokens, cached_tokens, usage_estimated FROM turns",
                vec![],
            )
            .await;
        let row = usage.first().unwrap();
        let figures: Vec<i64> = ["input_tokens", "output_tokens", "cached_tokens"]
            .iter()
            .map(|column| row.get(column).unwrap())
            .collect();
        assert_eq!(figures, [120, 30, 100]);
        assert!(row.get::<bool>("usage_estimated").unwrap());
    })
    .await;
}

#[tokio::test]
async fn every_outcome_has_its_state_and_is_read_back() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let outcomes = [
            Outcome::Answered,
            Outcome::Refused,
            Outcome::OutOfRounds,
            Outcome::OutOfBudget,
            Outcome::TimedOut,
            Outcome::EmptyAnswer,
            Outcome::ModelFailed {
                kind: ModelErrorKind::RateLimited,
                retry_after_seconds: Some(17),
            },
            Outcome::ModelFailed {
                kind: ModelErrorKind::Malformed,
                retry_after_seconds: None,
            },
            Outcome::Cancelled,
            Outcome::Interrupted,
        ];
        for outcome in outcomes {
            let id = ground.conversation(&ann).await.id;
            let lease = ground.open(&ann, id, "Hello").await.lease;
            let finish = ended(outcome.clone(), 1, at(9));
            ground.store.finish(&lease, finish).await.unwrap();
            let status = ground.store.turn(&ann, id, lease.turn).await.unwrap();
            assert_eq!(status.state, outcome.state());
            assert_eq!(status.outcome, Some(outcome));
            assert_eq!(status.agent_message, None);
            assert_eq!(ground.store.get(&ann, id).await.unwrap().message_count, 1);
        }
    })
    .await;
}

#[tokio::test]
async fn a_turn_is_shown_to_those_who_may_see_it() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let id = ground.conversation(&ann).await.id;
        let other = ground.conversation(&ann).await.id;
        let turn = ground.talk(&ann, id, "Hello", "Hi").await;
        let error = refused(ground.store.turn(&bob, id, turn).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        for (conversation, turn) in [(other, turn), (id, fresh())] {
            let error = refused(ground.store.turn(&ann, conversation, turn).await);
            assert!(matches!(error, StoreError::NotFound), "{error}");
        }
    })
    .await;
}
