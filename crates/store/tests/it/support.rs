//! The ground a test stands on: a fresh database with the store's tables, and people.

mod requests;

pub(crate) use requests::*;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use frontdesk_core::access::{CompanyRole, Identity, Principal, Proof, Role};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{CompanyId, ConversationId, TurnId};
use frontdesk_core::outcome::Outcome;
use frontdesk_core::store::{Lease, NewCompany, Opened, Turns};
use frontdesk_db::{Claims, Db, DbError, PostgresOptions, Row, SqliteOptions, Synchronous, Value};
use frontdesk_store::{Appliers, Store};
use frontdesk_testkit::postgres::{TestDatabase, TestPostgres};
use tempfile::TempDir;
use uuid::Uuid;

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
        let tables = async |url: String| {
            let db = connect(&url).await;
            db.migrate(&[Store::migrations()]).await.unwrap();
            db.close().await;
        };
        let database = TestPostgres::prepared(tables).await;
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
                .add_member(company, member.profile(), CompanyRole::Member, at(0))
                .await
                .unwrap();
        }
        company
    }

    pub(crate) async fn conversation(&self, who: &Principal) -> Conversation {
        self.conversation_in(who, None).await
    }

    pub(crate) async fn conversation_at(
        &self,
        who: &Principal,
        now: DateTime<Utc>,
    ) -> Conversation {
        self.store.create(who, new_conversation(now)).await.unwrap()
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
        Keep::Postgres(database) => connect(&database.url).await,
    }
}

async fn connect(url: &str) -> Db {
    let options = PostgresOptions {
        pool_size: 8,
        pool_wait: Duration::from_secs(30),
        lock_timeout: Duration::from_secs(30),
        statement_timeout: Duration::from_secs(30),
        app_role: Some("fd_app".to_owned()),
        system_role: Some("fd_worker".to_owned()),
        ..PostgresOptions::default()
    };
    Db::connect_postgres(&url.to_owned().into(), options)
        .await
        .unwrap()
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
