//! Acknowledged data survive a restart: messages, turns, keys, limits, cards.

use std::time::Duration;

use frontdesk_core::approval::Decision;
use frontdesk_core::store::{Accepted, StoreError, Turns};

use crate::approvals::{card, paused};
use crate::support::{at, fresh, key, message_opening, on_each, opened, refused, say};

// design: 001 extension persistence
// design: promises P9, P16 exact limits
#[tokio::test]
async fn limits_keys_turns_and_cards_survive_a_restart() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let other = ground.conversation(&ann).await.id;
        let mut request = say(id, "Hello", at(1));
        request.rate.bucket = "ann".to_owned();
        request.rate.max = 1;
        request.key = Some(key("k", "body"));
        let turn = opened(ground.store.open(&ann, request.clone()).await.unwrap());
        let waiting = paused(&ground, &ann, vec![card(&ann, "c", &[])]).await;

        let ground = ground.restarted().await;
        let mut again = request.clone();
        again.turn = fresh();
        let accepted = ground.store.open(&ann, again).await.unwrap();
        assert!(matches!(accepted, Accepted::Replay { turn: t, .. } if t == turn.lease.turn));
        let mut limited = request.clone();
        limited.turn = fresh();
        limited.key = None;
        limited.conversation = other;
        limited.opening = message_opening("More");
        limited.now = at(60);
        let error = refused(ground.store.open(&ann, limited.clone()).await);
        assert!(
            matches!(error, StoreError::RateLimited { retry_after } if retry_after == Duration::from_secs(1)),
            "{error}"
        );
        let busy = refused(ground.store.open(&ann, say(id, "More", at(99))).await);
        assert!(matches!(busy, StoreError::TurnInProgress { .. }), "{busy}");
        assert_eq!(ground.store.pending(&ann, at(9)).await.unwrap().len(), 1);
        ground
            .store
            .decide(&ann, waiting.turn, "c", Decision::Approved.into(), at(9))
            .await
            .unwrap();

        let ground = ground.restarted().await;
        let mut taken = Vec::new();
        while let Some(opened) = ground
            .store
            .take_over("node-2", at(500), Duration::from_secs(30))
            .await
            .unwrap()
        {
            taken.push(opened.lease.turn);
        }
        assert_eq!(taken, [waiting.turn, turn.lease.turn]);
        let page = ground.store.messages(&ann, id, None, 9).await.unwrap();
        assert_eq!(page.items, [turn.user_message]);
    })
    .await;
}
