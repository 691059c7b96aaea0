//! Versions of a message: one is shown to people and to the model, the others can be selected again.

use frontdesk_core::access::Principal;
use frontdesk_core::id::{ConversationId, MessageId};
use frontdesk_core::store::{
    Accepted, KEPT_EFFECTS, Opened, Opening, Revision, SearchWords, StoreError, Turns,
};
use frontdesk_core::transcript::Line;

use crate::support::{Ground, answered, at, on_each, say};

fn refused<T>(result: Result<T, StoreError>) -> &'static str {
    match result {
        Ok(_) => panic!("this should have been refused"),
        Err(StoreError::Forbidden) => "forbidden",
        Err(StoreError::Conflict(_)) => "conflict",
        Err(StoreError::TurnInProgress { .. }) => "turn in progress",
        Err(other) => panic!("{other:?}"),
    }
}

async fn thread(ground: &Ground, who: &Principal, id: ConversationId) -> Vec<String> {
    let page = ground
        .store
        .newest_messages(who, id, None, 50)
        .await
        .unwrap();
    page.items
        .into_iter()
        .map(|message| message.content)
        .collect()
}

async fn id_of(ground: &Ground, who: &Principal, id: ConversationId, content: &str) -> MessageId {
    let page = ground.store.messages(who, id, None, 50).await.unwrap();
    let found = page.items.into_iter().find(|one| one.content == content);
    found.unwrap().id
}

async fn revise(
    ground: &Ground,
    who: &Principal,
    id: ConversationId,
    message: MessageId,
    content: &str,
) -> Result<Opened, StoreError> {
    let mut request = say(id, content, ground.now());
    request.revision = Some(Revision {
        message,
        unchanged: false,
        writes: vec!["write".to_owned()],
    });
    match ground.store.open(who, request).await? {
        Accepted::Opened(opened) => Ok(*opened),
        Accepted::Replay { .. } => panic!("nothing was repeated"),
    }
}

async fn answer(ground: &Ground, turn: &Opened, text: &str) {
    let finish = answered(text, 1, ground.now());
    ground.store.finish(&turn.lease, finish).await.unwrap();
}

/// The lines that the model gets before the message.
fn history(turn: &Opened) -> String {
    String::from_utf8(turn.history.clone().into_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn an_edited_message_replaces_what_followed_and_can_be_selected_again() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "one", "first").await;
        ground.talk(&ann, id, "two", "second").await;
        ground.talk(&ann, id, "three", "third").await;
        let two = id_of(&ground, &ann, id, "two").await;
        let turn = revise(&ground, &ann, id, two, "zwei").await.unwrap();
        let told = history(&turn);
        assert!(told.contains("first") && !told.contains("second"), "{told}");
        answer(&ground, &turn, "zweite").await;
        assert_eq!(
            thread(&ground, &ann, id).await,
            ["one", "first", "zwei", "zweite"]
        );
        ground.talk(&ann, id, "drei", "dritte").await;

        let zwei = id_of(&ground, &ann, id, "zwei").await;
        let page = ground.store.messages(&ann, id, None, 50).await.unwrap();
        assert_eq!(page.items[2].versions, [two, zwei]);
        assert!(page.items[0].versions.is_empty());

        let select = async |message| {
            ground
                .store
                .select_version(&ann, id, message, at(500))
                .await
        };
        select(two).await.unwrap();
        select(two).await.unwrap();
        let first = ["one", "first", "two", "second", "three", "third"];
        assert_eq!(thread(&ground, &ann, id).await, first);
        let next = ground.open(&ann, id, "four").await;
        let told = history(&next);
        assert!(told.contains("third") && !told.contains("zwei"), "{told}");
        assert_eq!(
            refused(select(zwei).await),
            "turn in progress",
            "nothing moves under a running turn"
        );
        answer(&ground, &next, "fourth").await;
        select(zwei).await.unwrap();
        let second = ["one", "first", "zwei", "zweite", "drei", "dritte"];
        assert_eq!(thread(&ground, &ann, id).await, second);
    })
    .await;
}

#[tokio::test]
async fn versions_inside_a_version_come_back_with_it() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "a1", "A1").await;
        ground.talk(&ann, id, "b1", "B1").await;
        let a1 = id_of(&ground, &ann, id, "a1").await;
        let b1 = id_of(&ground, &ann, id, "b1").await;
        let turn = revise(&ground, &ann, id, b1, "b2").await.unwrap();
        answer(&ground, &turn, "B2").await;
        let turn = revise(&ground, &ann, id, a1, "a2").await.unwrap();
        answer(&ground, &turn, "A2").await;
        assert_eq!(thread(&ground, &ann, id).await, ["a2", "A2"]);
        // A version whose own thread is set aside is not selected from outside.
        let hidden = ground.store.select_version(&ann, id, b1, at(500)).await;
        assert_eq!(refused(hidden), "conflict");
        ground
            .store
            .select_version(&ann, id, a1, at(501))
            .await
            .unwrap();
        assert_eq!(thread(&ground, &ann, id).await, ["a1", "A1", "b2", "B2"]);
        ground
            .store
            .select_version(&ann, id, b1, at(502))
            .await
            .unwrap();
        assert_eq!(thread(&ground, &ann, id).await, ["a1", "A1", "b1", "B1"]);
    })
    .await;
}

#[tokio::test]
async fn effects_stay_and_are_named_and_a_turn_with_effects_is_not_simply_answered_again() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let turn = ground.talk(&ann, id, "do it", "done").await;
        ground
            .script(&format!(
                "INSERT INTO audit_log (at, profile_id, scope_id, conversation_id, turn_id, call_id, tool, target, outcome) \
                 SELECT t.started_at, t.profile_id, t.scope_id, t.conversation_id, t.id, 'c', 'write', 'P-1', 'executed' \
                 FROM turns t WHERE t.id = '{turn}'"
            ))
            .await;
        let message = id_of(&ground, &ann, id, "do it").await;
        let mut again = say(id, "do it", ground.now());
        again.revision = Some(Revision {
            message,
            unchanged: true,
            writes: vec!["write".to_owned()],
        });
        let again = ground.store.open(&ann, again).await;
        assert_eq!(refused(again), "conflict");
        assert_eq!(thread(&ground, &ann, id).await, ["do it", "done"]);

        let turn = revise(&ground, &ann, id, message, "do it well").await.unwrap();
        let note = turn.tail.iter().find(|line| line.wire.contains("write (P-1)"));
        assert!(note.is_some(), "{:?}", turn.tail);
        let Opening::Message { metadata, .. } = &turn.opening else {
            panic!("{:?}", turn.opening);
        };
        let kept = serde_json::json!([{ "tool": "write", "target": "P-1" }]);
        assert_eq!(metadata[KEPT_EFFECTS], kept);
        assert_eq!(turn.user_message.metadata[KEPT_EFFECTS], kept);
        assert!(turn.tail.iter().any(|line: &Line| line.wire.contains("do it well")));
    })
    .await;
}

#[tokio::test]
async fn only_the_author_changes_a_message_and_never_under_a_colleagues_words() {
    on_each(|ground| async move {
        let (ann, bob) = (ground.person("ann").await, ground.person("bob").await);
        let eve = ground.person("eve").await;
        let company = ground.company(&ann, &[&bob]).await;
        let id = ground.conversation_in(&ann, Some(company)).await.id;
        ground.talk(&ann, id, "mine", "yes").await;
        let mine = id_of(&ground, &ann, id, "mine").await;
        for (who, expected) in [(&bob, "forbidden"), (&eve, "forbidden")] {
            assert_eq!(refused(revise(&ground, who, id, mine, "x").await), expected);
            assert_eq!(
                refused(ground.store.opening_of(who, id, mine).await),
                expected
            );
        }
        let strange = ground.store.select_version(&eve, id, mine, at(500)).await;
        assert_eq!(refused(strange), "forbidden");
        ground.talk(&bob, id, "theirs", "no").await;
        let under = revise(&ground, &ann, id, mine, "x").await;
        assert_eq!(refused(under), "conflict");
        let theirs = id_of(&ground, &bob, id, "theirs").await;
        let turn = revise(&ground, &bob, id, theirs, "needle").await.unwrap();
        answer(&ground, &turn, "ok").await;
        // Messages that are set aside are not found.
        let find = async |words: &str| {
            let words = SearchWords::of(words).unwrap();
            ground
                .store
                .find_texts(&ann, &words, 10)
                .await
                .unwrap()
                .len()
        };
        assert_eq!((find("needle").await, find("theirs").await), (1, 0));
        ground
            .store
            .remove_member(company, bob.profile())
            .await
            .unwrap();
        assert_eq!(
            refused(revise(&ground, &bob, id, theirs, "x").await),
            "forbidden"
        );
    })
    .await;
}
