//! The ground a test stands on: a fresh database with the store's tables, and people.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::{Identity, Principal, Proof, Role, Standing};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::event::{Ended, Entry, Event};
use frontdesk_core::id::{CompanyId, ConversationId, Id, MessageId, ProfileId, TurnId};
use frontdesk_core::message::Message;
use frontdesk_core::model::Usage;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::phase::Phase;
use frontdesk_core::store::{
    Accepted, Account, Answer, Conversations, Finish, IdempotencyKey, Lease, NewCompany,
    NewConversation, OpenTurn, Opened, Opening, People, RateLimit, Record, StoreError, Turns,
};
use frontdesk_core::transcript::{Line, LineKind, Window};
use frontdesk_db::{Claims, Db, DbError, PostgresOptions, Row, SqliteOptions, Synchronous, Value};
use frontdesk_store::{Appliers, Store};
use frontdesk_testkit::postgres::{TestDatabase, TestPostgres};
use serde_json::{Map, json};
use tempfile::TempDir;
use uuid::Uuid;

pub(crate) const WINDOW: Window = Window {
    max_messages: 40,
    max_tokens: 10_000,
};

pub(crate) struct Ground {
    pub(crate) store: Store,
    pub(crate) db: Db,
    keep: Arc<Keep>,
    appliers: Appliers,
    /// Whose rate nobody else's messages touch.
    tick: AtomicI64,
}

enum Keep {
    Sqlite(TempDir),
    Postgres(Box<TestDatabase>),
}

impl Ground {
    pub(crate) async fn sqlite(appliers: Appliers) -> Ground {
        let folder = tempfile::tempdir().unwrap();
        Self::made(Keep::Sqlite(folder), appliers).await
    }

    pub(crate) async fn postgres(appliers: Appliers) -> Ground {
        let database = TestPostgres::database().await;
        Self::made(Keep::Postgres(Box::new(database)), appliers).await
    }

    async fn made(keep: Keep, appliers: Appliers) -> Ground {
        let db = open(&keep).await;
        db.migrate(&[Store::migrations()]).await.unwrap();
        Ground {
            store: Store::new(db.clone(), appliers.clone()),
            db,
            keep: Arc::new(keep),
            appliers,
            tick: AtomicI64::new(0),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match *self.keep {
            Keep::Sqlite(_) => "SQLite",
            Keep::Postgres(_) => "Postgres",
        }
    }

    pub(crate) fn test_database(&self) -> Option<&TestDatabase> {
        match &*self.keep {
            Keep::Sqlite(_) => None,
            Keep::Postgres(database) => Some(database),
        }
    }

    /// The same data after the program was stopped and started.
    pub(crate) async fn restarted(self) -> Ground {
        self.db.close().await;
        let db = open(&self.keep).await;
        db.migrate(&[Store::migrations()]).await.unwrap();
        Ground {
            store: Store::new(db.clone(), self.appliers.clone()),
            db,
            ..self
        }
    }

    /// A second node on the same data.
    pub(crate) async fn second_node(&self) -> Store {
        let db = open(&self.keep).await;
        Store::new(db, self.appliers.clone())
    }

    /// A moment that no other call on this ground gets.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        at(self.tick.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) async fn person(&self, name: &str) -> Principal {
        self.person_with(name, &[]).await
    }

    pub(crate) async fn person_with(&self, name: &str, roles: &[Role]) -> Principal {
        let subject = Uuid::now_v7();
        self.signed_in(subject, name, roles).await
    }

    pub(crate) async fn signed_in(&self, subject: Uuid, name: &str, roles: &[Role]) -> Principal {
        let (profile, companies) = self.store.sign_in(account(subject, name)).await.unwrap();
        Principal::authenticated(
            Identity {
                subject,
                profile: profile.id,
                name: profile.display_name,
                email: profile.email,
                roles: roles.iter().cloned().collect(),
                companies,
                expires: Some(at(1_000_000)),
            },
            Proof::Token,
        )
    }

    pub(crate) async fn company(&self, owner: &Principal, members: &[&Principal]) -> CompanyId {
        let company = self
            .store
            .ensure_company(NewCompany {
                id: fresh(),
                name: "Acme".to_owned(),
                owner: owner.profile(),
                now: at(0),
            })
            .await
            .unwrap();
        for member in members {
            self.store
                .add_member(company, member.profile(), Standing::Member, at(0))
                .await
                .unwrap();
        }
        company
    }

    pub(crate) async fn conversation(&self, who: &Principal) -> Conversation {
        self.conversation_in(who, None).await
    }

    pub(crate) async fn conversation_in(
        &self,
        who: &Principal,
        company: Option<CompanyId>,
    ) -> Conversation {
        let mut new = new_conversation(self.now());
        new.company_id = company;
        self.store.create(who, new).await.unwrap()
    }

    /// Opens a turn with a message nobody refuses.
    pub(crate) async fn open(
        &self,
        who: &Principal,
        conversation: ConversationId,
        content: &str,
    ) -> Opened {
        let request = say(conversation, content, self.now());
        opened(self.store.open(who, request).await.unwrap())
    }

    /// A whole turn: what was said, and the answer.
    pub(crate) async fn talk(
        &self,
        who: &Principal,
        conversation: ConversationId,
        content: &str,
        answer: &str,
    ) -> TurnId {
        let opened = self.open(who, conversation, content).await;
        let finish = answered(answer, 1, self.now());
        self.store.finish(&opened.lease, finish).await.unwrap();
        opened.lease.turn
    }

    /// Ends a turn because the model did not answer.
    pub(crate) async fn fail(&self, lease: &Lease, outcome: Outcome) {
        let finish = ended(outcome, 1, self.now());
        self.store.finish(lease, finish).await.unwrap();
    }

    /// Rows as the store's owner sees them, whoever they belong to.
    pub(crate) async fn rows(&self, sql: &'static str, values: Vec<Value>) -> Vec<Row> {
        match &*self.keep {
            Keep::Sqlite(_) => self
                .db
                .read(&Claims::system("test"), move |tx| {
                    Box::pin(async move { tx.rows(sql, &values).await })
                })
                .await
                .unwrap(),
            Keep::Postgres(database) => {
                let url = database.url.clone().into();
                let db = Db::connect_postgres(&url, PostgresOptions::default())
                    .await
                    .unwrap();
                let rows = db
                    .read(&Claims::none(), move |tx| {
                        Box::pin(async move { tx.rows(sql, &values).await })
                    })
                    .await;
                db.close().await;
                rows.map_err(|error: DbError| error).unwrap()
            }
        }
    }

    /// A script as the store's owner.
    pub(crate) async fn script(&self, sql: &str) {
        match &*self.keep {
            Keep::Sqlite(_) => {
                let sql = sql.to_owned();
                self.db
                    .write(&Claims::system("test"), move |tx| {
                        Box::pin(async move { tx.execute(&sql, &[]).await })
                    })
                    .await
                    .map_err(|error: DbError| error)
                    .unwrap();
            }
            Keep::Postgres(database) => database.execute(sql).await,
        }
    }

    pub(crate) async fn count(&self, sql: &'static str, values: Vec<Value>) -> i64 {
        let rows = self.rows(sql, values).await;
        rows.first().unwrap().get("n").unwrap()
    }
}

async fn open(keep: &Keep) -> Db {
    match keep {
        Keep::Sqlite(folder) => {
            let options = SqliteOptions {
                synchronous: Synchronous::Normal,
                ..SqliteOptions::default()
            };
            Db::open_sqlite(&folder.path().join("store.db"), options)
                .await
                .unwrap()
        }
        Keep::Postgres(database) => {
            let options = PostgresOptions {
                pool_size: 8,
                pool_wait: Duration::from_secs(30),
                lock_timeout: Duration::from_secs(30),
                statement_timeout: Duration::from_secs(30),
                app_role: Some("fd_app".to_owned()),
                system_role: Some("fd_worker".to_owned()),
                ..PostgresOptions::default()
            };
            Db::connect_postgres(&database.url.clone().into(), options)
                .await
                .unwrap()
        }
    }
}

/// Runs a test on each database.
pub(crate) async fn on_each<F, Fut>(test: F)
where
    F: Fn(Ground) -> Fut,
    Fut: Future<Output = ()>,
{
    on_each_with(Appliers::default(), test).await;
}

pub(crate) async fn on_each_with<F, Fut>(appliers: Appliers, test: F)
where
    F: Fn(Ground) -> Fut,
    Fut: Future<Output = ()>,
{
    for ground in [
        Ground::sqlite(appliers.clone()).await,
        Ground::postgres(appliers).await,
    ] {
        eprintln!("on {}", ground.name());
        // A test may move parts out of its ground; the files stay until it is over.
        let _keep = Arc::clone(&ground.keep);
        test(ground).await;
    }
}

pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000, 123_456_000).unwrap() + TimeDelta::seconds(seconds)
}

pub(crate) fn fresh<T>() -> Id<T> {
    Id::from_uuid(Uuid::now_v7())
}

pub(crate) fn account(subject: Uuid, name: &str) -> Account {
    Account {
        subject,
        profile: fresh::<frontdesk_core::id::of::Profile>(),
        name: name.to_owned(),
        email: Some(format!("{name}@example.com")),
        now: at(0),
    }
}

pub(crate) fn new_conversation(now: DateTime<Utc>) -> NewConversation {
    NewConversation {
        id: Id::from_uuid(Uuid::new_v4()),
        assistant: "docs".to_owned(),
        title: "New Conversation".to_owned(),
        company_id: None,
        subject: None,
        phase: Phase::named("discovery"),
        metadata: Map::new(),
        now,
    }
}

pub(crate) fn message_opening(content: &str) -> Opening {
    Opening::Message {
        id: fresh(),
        content: content.to_owned(),
        metadata: Map::new(),
        attachments: Vec::new(),
    }
}

/// A request with a bucket of its own, so that rates matter only where a test says so.
pub(crate) fn say(conversation: ConversationId, content: &str, now: DateTime<Utc>) -> OpenTurn {
    OpenTurn {
        turn: fresh(),
        conversation,
        opening: message_opening(content),
        key: None,
        rate: RateLimit {
            bucket: format!("own:{}", Uuid::now_v7()),
            max: 20,
            window: Duration::from_secs(60),
        },
        window: WINDOW,
        context: vec![Line::context("It is Monday.")],
        node: "node-1".to_owned(),
        lease_for: Duration::from_secs(30),
        turn_for: Duration::from_secs(120),
        now,
    }
}

pub(crate) fn key(name: &str, fingerprint: &str) -> IdempotencyKey {
    IdempotencyKey {
        route: "POST /messages".to_owned(),
        key: name.to_owned(),
        fingerprint: fingerprint.to_owned(),
    }
}

pub(crate) fn opened(accepted: Accepted) -> Opened {
    match accepted {
        Accepted::Opened(opened) => *opened,
        Accepted::Replay { turn, .. } => panic!("a replay of {turn} instead of a new turn"),
    }
}

pub(crate) fn answer_line(text: &str) -> Line {
    let message = Message::Assistant {
        content: Some(text.to_owned()),
        tool_calls: Vec::new(),
    };
    Line::new(LineKind::Answer, &message)
}

/// A turn that is answered at once; `position` is that of the last entry before.
pub(crate) fn answered(text: &str, position: u64, now: DateTime<Utc>) -> Finish {
    let id: MessageId = fresh();
    let mut finish = ended(Outcome::Answered, position, now);
    finish.answer = Some(Answer {
        id,
        content: text.to_owned(),
        metadata: Map::from_iter([("tool_calls".to_owned(), json!([]))]),
    });
    finish.lines = vec![answer_line(text)];
    finish
}

pub(crate) fn ended(outcome: Outcome, position: u64, now: DateTime<Utc>) -> Finish {
    let end = Ended {
        outcome: outcome.clone(),
        message: None,
        notice: outcome.notice().map(str::to_owned),
        quick_replies: Vec::new(),
        usage: Usage::default(),
    };
    let event = match outcome {
        Outcome::Answered | Outcome::Refused => Event::TurnCompleted(end),
        Outcome::Cancelled => Event::TurnCancelled(end),
        Outcome::Interrupted => Event::TurnInterrupted(end),
        Outcome::OutOfRounds
        | Outcome::OutOfBudget
        | Outcome::TimedOut
        | Outcome::EmptyAnswer
        | Outcome::ModelFailed { .. } => Event::TurnFailed(end),
    };
    Finish {
        record: Record {
            entries: vec![Entry {
                position: position + 1,
                event,
            }],
            now,
            ..Record::default()
        },
        outcome,
        answer: None,
        lines: Vec::new(),
        usage: Usage::default(),
    }
}

pub(crate) fn delta(position: u64, text: &str) -> Entry {
    Entry {
        position,
        event: Event::TextDelta {
            text: text.to_owned(),
        },
    }
}

pub(crate) fn refused<T>(result: Result<T, StoreError>) -> StoreError {
    match result {
        Ok(_) => panic!("this should have been refused"),
        Err(error) => error,
    }
}

/// The messages of a transcript as JSON, to be compared.
pub(crate) fn texts(opened: &Opened) -> Vec<String> {
    opened
        .history
        .messages()
        .iter()
        .map(|message| message.text().unwrap_or_default().to_owned())
        .collect()
}

pub(crate) fn nobody() -> ProfileId {
    fresh()
}
