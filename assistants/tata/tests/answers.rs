//! The model's words reach the recruiter unchanged: the assistant in the real engine with the real
//! store and a scripted model.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::env::Env;
use frontdesk_core::event::{Entry, Event, TurnObserver};
use frontdesk_core::id::{ConversationId, MessageId, TurnId};
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, Reply};
use frontdesk_core::outcome::Outcome;
use frontdesk_core::phase::Phase;
use frontdesk_core::run::{Cancel, Ending, Engine, run_turn};
use frontdesk_core::store::{
    Accepted, Account, Budget, NewConversation, OpenTurn, Opening, RateLimit, Speaker, Turns,
};
use futures_util::future::BoxFuture;
use proptest::prelude::*;
use serde_json::Map;
use uuid::Uuid;

use super::kit::{Kit, Still, kit, recruiter};

/// Says one text in pieces.
struct Saying(Vec<String>);

#[async_trait]
impl Model for Saying {
    async fn reply(&self, _: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        self.0.iter().for_each(|piece| sink.text(piece));
        Ok(Reply {
            text: self.0.concat(),
            ..Reply::default()
        })
    }
}

/// Nothing runs out of time.
struct Patient;

impl Env for Patient {
    fn now(&self) -> DateTime<Utc> {
        Still.now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

/// Collects the streamed text.
#[derive(Default)]
struct ShownText(Mutex<String>);

impl TurnObserver for ShownText {
    fn on_entry(&self, _: TurnId, entry: &Entry) {
        if let Event::TextDelta { text } = &entry.event {
            self.0.lock().unwrap().push_str(text);
        }
    }
}

/// The streamed and the stored text of a turn in which the model says this.
async fn answer(kit: &Kit, pieces: Vec<String>) -> (Ending, String, String) {
    let who = recruiter();
    let account = Account {
        subject: who.subject(),
        profile: who.profile(),
        name: who.name().to_owned(),
        email: None,
        now: Still.now(),
    };
    kit.store.sign_in(account).await.unwrap();
    let conversation = ConversationId::from_uuid(Uuid::new_v4());
    let new = NewConversation {
        key: None,
        id: conversation,
        assistant: "tata".to_owned(),
        title: "Test".to_owned(),
        company_id: None,
        subject: None,
        phase: Phase::DEFAULT,
        metadata: Map::new(),
        now: Still.now(),
    };
    kit.store.create(&who, new).await.unwrap();
    let request = OpenTurn {
        revision: None,
        turn: TurnId::from_uuid(Uuid::now_v7()),
        conversation,
        opening: Opening::Message {
            id: MessageId::from_uuid(Uuid::now_v7()),
            content: "Hello".to_owned(),
            metadata: Map::new(),
            attachments: Vec::new(),
        },
        key: None,
        rate: RateLimit {
            bucket: "messages".to_owned(),
            max: 10_000,
            window: Duration::from_secs(60),
        },
        budget: Budget::UNLIMITED,
        in_flight: 20,
        window: kit.assistant.limits.window,
        context: Vec::new(),
        file_texts: Vec::new(),
        node: "node".to_owned(),
        lease_for: Duration::from_secs(30),
        turn_for: kit.assistant.limits.turn,
        now: Still.now(),
    };
    let Accepted::Opened(opened) = kit.store.open(&who, request).await.unwrap() else {
        panic!("nothing was asked before");
    };
    let shown = Arc::new(ShownText::default());
    let engine = Engine {
        turns: Arc::new(kit.store.clone()),
        artifacts: Arc::new(kit.store.clone()),
        attachments: Arc::new(kit.store.clone()),
        env: Arc::new(Patient),
        observer: Arc::clone(&shown) as _,
        lease_for: Duration::from_secs(30),
        text_tokens: 24_000,
    };
    let ending = run_turn(
        &engine,
        Arc::clone(&kit.assistant),
        Arc::new(Saying(pieces)),
        *opened,
        Cancel::default(),
    );
    let ending = ending.await.unwrap();
    let page = kit.store.messages(&who, conversation, None, 10);
    let said = page.await.unwrap().items.into_iter();
    let kept: Vec<String> = said
        .filter(|message| message.role == Speaker::Assistant)
        .map(|message| message.content)
        .collect();
    let shown = shown.0.lock().unwrap().clone();
    (ending, shown, kept.concat())
}

/// Property 10: Text Response Pass-Through.
#[test]
fn words_of_the_model_are_kept_as_they_are() {
    let kit = kit();
    let piece = "[ \n]{0,2}\\PC{0,20}[a-zåäöß]\\PC{0,20}[\n ]{0,3}";
    let pieces = prop::collection::vec(piece, 1..5);
    proptest!(ProptestConfig::with_cases(128), |(pieces in pieces)| {
        let text = pieces.concat();
        let (ending, shown, kept) = kit.runtime.block_on(answer(&kit, pieces));
        prop_assert_eq!(ending, Ending::Over(Outcome::Answered));
        prop_assert_eq!(&shown, &text);
        prop_assert_eq!(&kept, &text);
    });
}
