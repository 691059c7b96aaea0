//! Several runtimes on one database: a change in one reaches the others at once, by notification
//! and not by polling.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use frontdesk::installed::Installed;
use frontdesk::runtime::{NewConversationRequest, Rules, Runtime, RuntimeParts, Saying, Watch};
use frontdesk::trace::tracer::Tracing;
use frontdesk_core::env::Env;
use frontdesk_core::id::MessageId;
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{Accepted, Budget, OpenTurn, Opening, RateLimit, Turns};
use frontdesk_core::transcript::Window;
use frontdesk_db::{Db, PostgresOptions};
use frontdesk_offline::OfflineModel;
use frontdesk_store::{Appliers, Store};
use frontdesk_testkit::model_server::{Gate, ModelServer, say};
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::harness::{BOTH, TestApp};

/// Short sleeps pass; long ones never end. So polling finds nothing.
struct NeverPolls {
    /// All runtimes share one clock.
    app: Arc<dyn Env>,
}

impl Env for NeverPolls {
    fn now(&self) -> DateTime<Utc> {
        self.app.now()
    }

    fn id(&self) -> Uuid {
        self.app.id()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        if duration >= Duration::from_secs(1) {
            return Box::pin(std::future::pending());
        }
        Box::pin(tokio::time::sleep(duration))
    }
}

/// Another runtime on the data of this app, without assistants.
async fn second_runtime(test: &TestApp) -> Runtime {
    let db = match &test.app.config.database.url {
        Some(url) => {
            let options = PostgresOptions {
                app_role: Some("fd_app".to_owned()),
                system_role: Some("fd_worker".to_owned()),
                schema: Some("frontdesk".to_owned()),
                ..PostgresOptions::default()
            };
            Db::connect_postgres(url, options).await.unwrap()
        }
        // SQLite serves one process, with any number of runtimes.
        None => test.app.db.clone(),
    };
    let parts = RuntimeParts {
        model: Arc::new(OfflineModel::default()),
        store: Store::new(db, Appliers::default()),
        env: Arc::new(NeverPolls {
            app: Arc::clone(&test.app.env),
        }),
        rules: Rules {
            lease: Duration::from_secs(20),
            replay: Duration::from_secs(3600),
            turns_in_flight: 20,
            budget: Budget::UNLIMITED,
            text_tokens: 24_000,
        },
        tracing: Tracing::default(),
        subjects: std::collections::BTreeMap::new(),
    };
    Runtime::new(Installed::new(Vec::new(), Vec::new()), parts)
}

async fn names(watch: &mut Watch) -> Vec<&'static str> {
    let mut names = Vec::new();
    while let Some(entry) = watch.next().await.unwrap() {
        names.push(entry.event.name());
    }
    names.dedup();
    names
}

// design: promises P5 nodes
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_on_another_runtime_is_notified() {
    for backing in BOTH {
        let model = ModelServer::start().await;
        let gate = Gate::shut();
        model.script([say("Slowly").then_wait(&gate).then_say(" but surely.")]);
        let test = TestApp::start(backing, &model.url()).await;
        let who = test.person("reader").await;
        let runtime = &test.app.runtime;
        let talk = NewConversationRequest {
            assistant: "notes".to_owned(),
            ..NewConversationRequest::default()
        };
        let conversation = runtime.start_conversation(&who, talk).await.unwrap().id;
        let saying = Saying {
            content: "Hello".to_owned(),
            ..Saying::default()
        };
        let started = runtime.say(&who, conversation, saying).await.unwrap();
        model.requested(1).await;
        let elsewhere = second_runtime(&test).await;
        let mut watch = elsewhere
            .watch(&who, conversation, started.turn, 0)
            .await
            .unwrap();
        let first = watch.next().await.unwrap().unwrap();
        assert_eq!(first.event.name(), "turn.started");
        let reading = tokio::spawn(async move { names(&mut watch).await });
        gate.open();
        let names = reading.await.unwrap();
        assert_eq!(names, ["text.delta", "turn.completed"], "{backing:?}");
        test.app.close().await;
    }
}

// design: promises P5 nodes
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_stopped_from_another_runtime_at_once() {
    for backing in BOTH {
        let model = ModelServer::start().await;
        let gate = Gate::shut();
        model.script([say("Slowly").then_wait(&gate)]);
        let test = TestApp::start(backing, &model.url()).await;
        let who = test.person("reader").await;
        let runtime = &test.app.runtime;
        // The server runs this background task; here the test starts it.
        let looking = {
            let runtime = runtime.clone();
            tokio::spawn(async move { runtime.keep_looking_around().await })
        };
        let talk = NewConversationRequest {
            assistant: "notes".to_owned(),
            ..NewConversationRequest::default()
        };
        let conversation = runtime.start_conversation(&who, talk).await.unwrap().id;
        let saying = Saying {
            content: "Hello".to_owned(),
            ..Saying::default()
        };
        let mut started = runtime.say(&who, conversation, saying).await.unwrap();
        model.requested(1).await;
        let elsewhere = second_runtime(&test).await;
        let asked = elsewhere.cancel(&who, conversation, started.turn).await;
        assert!(asked.unwrap());
        // The model never continues: only the cancellation can end this.
        let names = names(&mut started.watch).await;
        assert_eq!(names.last(), Some(&"turn.cancelled"), "{backing:?}");
        looking.abort();
        test.app.close().await;
    }
}

/// A release without the assistant takes its turn over: the turn ends once, with a sentence.
// design: promises P4 turns end
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_an_assistant_that_is_gone_ends_with_a_sentence() {
    for backing in BOTH {
        let model = ModelServer::start().await;
        let test = TestApp::start(backing, &model.url()).await;
        let who = test.person("reader").await;
        let talk = NewConversationRequest {
            assistant: "notes".to_owned(),
            ..NewConversationRequest::default()
        };
        let runtime = &test.app.runtime;
        let conversation = runtime.start_conversation(&who, talk).await.unwrap().id;
        let long_ago = test.app.env.now() - chrono::TimeDelta::minutes(1);
        let request = OpenTurn {
            revision: None,
            turn: frontdesk_core::id::TurnId::from_uuid(Uuid::now_v7()),
            conversation,
            opening: Opening::Message {
                id: MessageId::from_uuid(Uuid::now_v7()),
                content: "Hello".to_owned(),
                metadata: serde_json::Map::new(),
                attachments: Vec::new(),
            },
            key: None,
            rate: RateLimit {
                bucket: "test".to_owned(),
                max: 20,
                window: Duration::from_secs(60),
            },
            in_flight: 20,
            budget: Budget::UNLIMITED,
            window: Window {
                max_messages: 200,
                max_tokens: 24_000,
                last_texts: None,
            },
            context: Vec::new(),
            file_texts: Vec::new(),
            node: "gone".to_owned(),
            lease_for: Duration::from_secs(1),
            turn_for: Duration::from_secs(120),
            now: long_ago,
        };
        let Accepted::Opened(opened) = runtime.store().open(&who, request).await.unwrap() else {
            panic!("nothing was asked before");
        };
        let turn = opened.lease.turn;
        let without = second_runtime(&test).await;
        assert_eq!(without.take_over_abandoned().await.unwrap(), 1);
        assert!(without.drain(Duration::from_secs(30)).await);
        let status = runtime
            .store()
            .turn(&who, conversation, turn)
            .await
            .unwrap();
        assert_eq!(status.state, TurnState::Interrupted);
        assert_eq!(status.outcome, Some(Outcome::Interrupted));
        let entries = runtime
            .store()
            .entries(&who, conversation, turn, 0)
            .await
            .unwrap();
        let ended = entries.last().unwrap().event.ended().unwrap();
        let notice = ended.notice.as_deref().unwrap();
        assert!(notice.contains("not installed any more"), "{notice}");
        assert_eq!(without.take_over_abandoned().await.unwrap(), 0);
        test.app.close().await;
    }
}
