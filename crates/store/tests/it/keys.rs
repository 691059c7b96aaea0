//! Idempotency keys: a repeated request has one effect.

use std::collections::HashMap;

use frontdesk_core::model::ModelErrorKind;
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{Accepted, OpenTurn, StoreError, Turns};

use proptest::prelude::ProptestConfig;

use crate::support::{Ground, answered, at, fresh, key, on_each, opened, refused, say};

fn again(request: &OpenTurn) -> OpenTurn {
    let mut request = request.clone();
    request.turn = fresh();
    request.opening = crate::support::message_opening("Hello");
    request
}

fn model_failed() -> Outcome {
    Outcome::ModelFailed {
        kind: ModelErrorKind::Unavailable,
        retry_after_seconds: Some(3),
    }
}

async fn rate_events(ground: &Ground) -> i64 {
    ground
        .count("SELECT count(*) AS n FROM rate_events", vec![])
        .await
}

// design: promises P2
#[tokio::test]
async fn a_repeated_key_leads_to_the_same_turn_and_costs_nothing() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let mut request = say(id, "Hello", at(1));
        request.key = Some(key("k1", "body"));
        request.rate.max = 1;
        let turn = opened(ground.store.open(&ann, request.clone()).await.unwrap());
        for expected in [TurnState::Running, TurnState::Completed] {
            let accepted = ground.store.open(&ann, again(&request)).await.unwrap();
            let Accepted::Replay {
                turn: replayed,
                state,
                user_message,
            } = accepted
            else {
                panic!("not a replay");
            };
            assert_eq!(replayed, turn.lease.turn);
            assert_eq!(state, expected);
            assert_eq!(*user_message, turn.user_message);
            if expected == TurnState::Running {
                let finish = answered("Hi", 1, at(2));
                ground.store.finish(&turn.lease, finish).await.unwrap();
            }
        }
        assert_eq!(rate_events(&ground).await, 1);
        let page = ground.store.messages(&ann, id, None, 9).await.unwrap();
        assert_eq!(page.items.len(), 2);
    })
    .await;
}

// design: promises P2
#[tokio::test]
async fn a_key_with_another_body_or_conversation_is_refused() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let other = ground.conversation(&ann).await.id;
        let mut request = say(id, "Hello", at(1));
        request.key = Some(key("k1", "body"));
        opened(ground.store.open(&ann, request.clone()).await.unwrap());
        let mut changed = again(&request);
        changed.key = Some(key("k1", "another body"));
        let mut moved = again(&request);
        moved.conversation = other;
        for request in [changed, moved] {
            let error = refused(ground.store.open(&ann, request).await);
            assert!(matches!(error, StoreError::KeyReused), "{error}");
        }
    })
    .await;
}

// design: promises P2
#[tokio::test]
async fn keys_of_colleagues_and_of_other_routes_are_independent() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        for who in [&ann, &bob] {
            let id = ground.conversation(who).await.id;
            let mut request = say(id, "Hello", at(1));
            request.key = Some(key("same", &id.to_string()));
            opened(ground.store.open(who, request).await.unwrap());
        }
        let id = ground.conversation(&ann).await.id;
        let mut request = say(id, "Hello", at(1));
        let mut other_route = key("same", "body");
        other_route.route = "POST /other".to_owned();
        request.key = Some(other_route);
        opened(ground.store.open(&ann, request).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_key_whose_model_failed_answers_the_stored_message_again() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "Before", "Yes?").await;
        let mut request = say(id, "Hello", at(1));
        request.key = Some(key("k1", "body"));
        let first = opened(ground.store.open(&ann, request.clone()).await.unwrap());
        ground.fail(&first.lease, model_failed()).await;

        let second = opened(ground.store.open(&ann, again(&request)).await.unwrap());
        assert_ne!(second.lease.turn, first.lease.turn);
        assert_eq!(second.user_message.id, first.user_message.id);
        assert_eq!(second.opening, first.opening);
        assert_eq!(second.tail, first.tail);
        assert_eq!(second.history.as_bytes(), first.history.as_bytes());
        assert_eq!(rate_events(&ground).await, 3);
        let finish = answered("Here.", 1, at(9));
        ground.store.finish(&second.lease, finish).await.unwrap();

        // Now it is answered: the same key only shows it.
        let accepted = ground.store.open(&ann, again(&request)).await.unwrap();
        assert!(matches!(
            accepted,
            Accepted::Replay { turn, state: TurnState::Completed, .. } if turn == second.lease.turn
        ));
        let page = ground.store.messages(&ann, id, None, 9).await.unwrap();
        let said: Vec<_> = page.items.iter().map(|m| m.content.as_str()).collect();
        assert_eq!(said, ["Before", "Yes?", "Hello", "Here."]);
        let count = ground.store.get(&ann, id).await.unwrap().message_count;
        assert_eq!(count, 4);
    })
    .await;
}

#[tokio::test]
async fn other_failures_are_shown_and_not_repeated() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        for outcome in [Outcome::TimedOut, Outcome::OutOfRounds, Outcome::Cancelled] {
            let id = ground.conversation(&ann).await.id;
            let mut request = say(id, "Hello", at(1));
            request.key = Some(key(&id.to_string(), "body"));
            let first = opened(ground.store.open(&ann, request.clone()).await.unwrap());
            ground.fail(&first.lease, outcome).await;
            let accepted = ground.store.open(&ann, again(&request)).await.unwrap();
            assert!(matches!(accepted, Accepted::Replay { .. }));
        }
    })
    .await;
}

// design: promises P2
#[tokio::test]
async fn keys_are_kept_for_a_day() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let mut old = say(id, "Hello", at(0));
        old.key = Some(key("old", "body"));
        let turn = opened(ground.store.open(&ann, old.clone()).await.unwrap());
        let finish = answered("Hi", 1, at(1));
        ground.store.finish(&turn.lease, finish).await.unwrap();
        let mut later = say(id, "More", at(86_400));
        later.key = Some(key("new", "body"));
        let turn = opened(ground.store.open(&ann, later).await.unwrap());
        let finish = answered("Hi", 1, at(86_401));
        ground.store.finish(&turn.lease, finish).await.unwrap();
        let mut repeated = again(&old);
        repeated.now = at(86_400);
        let accepted = ground.store.open(&ann, repeated).await.unwrap();
        assert!(matches!(accepted, Accepted::Replay { .. }));
        // Then they go, so that the table does not grow for ever.
        let mut next_day = say(id, "More", at(86_402));
        next_day.key = Some(key("newest", "body"));
        opened(ground.store.open(&ann, next_day).await.unwrap());
        let left = ground
            .count("SELECT count(*) AS n FROM idempotency_keys", vec![])
            .await;
        assert_eq!(left, 2);
    })
    .await;
}

#[tokio::test]
async fn a_key_whose_message_was_cleared_stores_no_second_one() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let mut request = say(id, "Hello", at(1));
        request.key = Some(key("k1", "body"));
        let turn = opened(ground.store.open(&ann, request.clone()).await.unwrap());
        let finish = answered("Hi", 1, at(2));
        ground.store.finish(&turn.lease, finish).await.unwrap();
        ground.store.reset(&ann, id).await.unwrap();
        let error = refused(ground.store.open(&ann, again(&request)).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    })
    .await;
}

/// A request: who, on which route, under which key, in which of their conversations, with what.
type Step = (usize, usize, usize, usize, usize);

/// Any requests, again and again: compared with a model that remembers everything.
async fn have_one_effect_a_key(ground: &Ground, steps: &[Step]) {
    let people = [ground.person("one").await, ground.person("two").await];
    let mut conversations = Vec::new();
    for who in &people {
        let own = [
            ground.conversation(who).await,
            ground.conversation(who).await,
        ];
        conversations.push(own.map(|conversation| conversation.id));
    }
    let mut known = HashMap::new();
    for &(who, route, name, conversation, body) in steps {
        let mut request = say(conversations[who][conversation], "Hello", at(1));
        let mut under = key(&format!("k{name}"), &format!("body {body}"));
        under.route = format!("POST /{route}");
        request.key = Some(under);
        let answer = ground.store.open(&people[who], request).await;
        match known.get(&(who, route, name)) {
            None => {
                let turn = opened(answer.unwrap());
                let finish = answered("Hi", 1, at(2));
                ground.store.finish(&turn.lease, finish).await.unwrap();
                known.insert((who, route, name), (turn.lease.turn, conversation, body));
            }
            Some((first, place, text)) if (*place, *text) == (conversation, body) => {
                let Accepted::Replay { turn, .. } = answer.unwrap() else {
                    panic!("not a replay");
                };
                assert_eq!(turn, *first);
            }
            Some(_) => {
                let error = refused(answer);
                assert!(matches!(error, StoreError::KeyReused), "{error}");
            }
        }
    }
    let mut said = 0;
    for (who, own) in people.iter().zip(&conversations) {
        for id in own {
            let page = ground.store.messages(who, *id, None, 50).await.unwrap();
            said += page.items.len();
        }
    }
    assert_eq!(said, 2 * known.len(), "a message and its answer each");
}

fn any_requests(cases: u32) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let grounds = runtime.block_on(async {
        [
            Ground::sqlite(Default::default()).await,
            Ground::postgres(Default::default()).await,
        ]
    });
    let step = (0..2_usize, 0..2_usize, 0..2_usize, 0..2_usize, 0..2_usize);
    let requests = proptest::collection::vec(step, 1..8);
    let config = ProptestConfig::with_cases(cases);
    proptest::test_runner::TestRunner::new(config)
        .run(&requests, |steps| {
            for ground in &grounds {
                runtime.block_on(have_one_effect_a_key(ground, &steps));
            }
            Ok(())
        })
        .unwrap();
}

// design: promises P2
#[test]
fn whatever_is_repeated_has_one_effect_a_key() {
    any_requests(100);
}

/// Each on both databases.
// design: promises P2
#[test]
#[ignore = "long: make test-full"]
fn whatever_is_repeated_has_one_effect_a_key_1000_times() {
    any_requests(1_000);
}
