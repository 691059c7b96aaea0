//! The store itself: a database, and how changes are applied to it.

use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::id::ProfileId;
use frontdesk_core::store::StoreError;
use frontdesk_db::{Claims, Db, DbError, Dialect, Migration, MigrationSet, PostgresHooks, Tx};
use futures_util::future::BoxFuture;

use crate::applier::Appliers;
use crate::turns::Renewals;
use crate::tx_error::TxError;
use crate::{attachments, caller, people, turns};

/// Implements every port of `frontdesk_core::store`. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    db: Db,
    pub(crate) appliers: Appliers,
    pub(crate) attachment_quota: u64,
    pub(crate) renewals: Renewals,
}

/// A transaction body. [`Store::write_again`] takes a factory for it, so that it can be retried.
pub(crate) type Job<T> =
    Box<dyn for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, TxError>> + Send>;

/// How often a transaction that collides is run, and by how much each pause is longer.
const ATTEMPTS: u32 = 8;
const PAUSE: Duration = Duration::from_millis(5);

/// Creates the roles that the migrations need, and restricts their rights afterwards. Settled if
/// the database has the configured application role.
const ROLES: PostgresHooks = PostgresHooks {
    settled: "SELECT 1 AS one FROM pg_proc WHERE oid = to_regprocedure('fd.app_role()') AND prosrc = \
         format('SELECT %L::text', coalesce(nullif(current_setting('fd.app_role', true), ''), 'fd_app'))",
    before: include_str!("../roles/before.sql"),
    after: include_str!("../roles/after.sql"),
    indexes: INDEXES,
    // They built the indexes while writers waited.
    superseded: &[
        (
            17,
            "9371146543369b3f2c2d358a1ee06ff7f55e62e1fd7cea27685aaa96a4b845ec",
        ),
        (
            18,
            "52a7d4c6d613b4ab242c6d9fe1c0f376319900e58dcf7432c724fbcaf8c4adc3",
        ),
    ],
};

/// Without those of words, `fd.find_texts` leaves out messages, documents or titles.
const INDEXES: &[&str] = &[
    "idx_messages_version_of ON messages (conversation_id, version_of) WHERE version_of IS NOT NULL",
    "idx_messages_aside ON messages (conversation_id, aside) WHERE aside IS NOT NULL",
    "idx_conversations_words ON conversations USING gin (fd.words(scope_id, title))",
    "idx_artifacts_words ON artifacts USING gin (fd.words(scope_id, fd.document_text(title, content)))",
    "idx_messages_words ON messages USING gin (fd.words(scope_id, content)) WHERE part = 'said'",
];

const STEPS: &[Migration] = &[
    Migration {
        version: 1,
        name: "conversations and turns",
        sqlite: include_str!("../migrations/0001_conversations.sqlite.sql"),
        postgres: include_str!("../migrations/0001_conversations.postgres.sql"),
    },
    Migration {
        version: 2,
        name: "turns in flight, unknown writes, foreign auth schemas",
        sqlite: include_str!("../migrations/0002_running_turns.sqlite.sql"),
        postgres: include_str!("../migrations/0002_running_turns.postgres.sql"),
    },
    Migration {
        version: 3,
        name: "invitations, opinions and usage",
        sqlite: include_str!("../migrations/0003_people.sqlite.sql"),
        postgres: include_str!("../migrations/0003_people.postgres.sql"),
    },
    Migration {
        version: 4,
        name: "what turns may use, and who sees invitations",
        sqlite: include_str!("../migrations/0004_limits.sqlite.sql"),
        postgres: include_str!("../migrations/0004_limits.postgres.sql"),
    },
    Migration {
        version: 5,
        name: "snapshots of turns, leases renewed together",
        sqlite: include_str!("../migrations/0005_turns.sqlite.sql"),
        postgres: include_str!("../migrations/0005_turns.postgres.sql"),
    },
    Migration {
        version: 6,
        name: "for those who watch over the server",
        sqlite: include_str!("../migrations/0006_watch.sqlite.sql"),
        postgres: include_str!("../migrations/0006_watch.postgres.sql"),
    },
    Migration {
        version: 7,
        name: "each step of a turn in one call",
        sqlite: include_str!("../migrations/0007_steps.sqlite.sql"),
        postgres: include_str!("../migrations/0007_steps.postgres.sql"),
    },
    Migration {
        version: 8,
        name: "names for those who watch",
        sqlite: include_str!("../migrations/0008_names.sqlite.sql"),
        postgres: include_str!("../migrations/0008_names.postgres.sql"),
    },
    Migration {
        version: 9,
        name: "coming into a conversation in one call",
        sqlite: include_str!("../migrations/0009_entering.sqlite.sql"),
        postgres: include_str!("../migrations/0009_entering.postgres.sql"),
    },
    Migration {
        version: 10,
        name: "documents have authors and outlive what was said",
        sqlite: include_str!("../migrations/0010_documents.sqlite.sql"),
        postgres: include_str!("../migrations/0010_documents.postgres.sql"),
    },
    Migration {
        version: 11,
        name: "arguments that a person changed before approving",
        sqlite: include_str!("../migrations/0011_proposals.sqlite.sql"),
        postgres: include_str!("../migrations/0011_proposals.postgres.sql"),
    },
    Migration {
        version: 12,
        name: "authors of messages, and what was decided",
        sqlite: include_str!("../migrations/0012_authors.sqlite.sql"),
        postgres: include_str!("../migrations/0012_authors.postgres.sql"),
    },
    Migration {
        version: 13,
        name: "access follows present membership",
        sqlite: include_str!("../migrations/0013_access.sqlite.sql"),
        postgres: include_str!("../migrations/0013_access.postgres.sql"),
    },
    Migration {
        version: 14,
        name: "an audit in words",
        sqlite: include_str!("../migrations/0014_audit.sqlite.sql"),
        postgres: include_str!("../migrations/0014_audit.postgres.sql"),
    },
    Migration {
        version: 15,
        name: "functions of turns take JSON",
        sqlite: include_str!("../migrations/0015_turn_functions.sqlite.sql"),
        postgres: include_str!("../migrations/0015_turn_functions.postgres.sql"),
    },
    Migration {
        version: 16,
        name: "the object of a card that was changed",
        sqlite: include_str!("../migrations/0016_card_targets.sqlite.sql"),
        postgres: include_str!("../migrations/0016_card_targets.postgres.sql"),
    },
    Migration {
        version: 17,
        name: "full-text search",
        sqlite: include_str!("../migrations/0017_text_search.sqlite.sql"),
        postgres: include_str!("../migrations/0017_text_search.postgres.sql"),
    },
    Migration {
        version: 18,
        name: "versions of messages",
        sqlite: include_str!("../migrations/0018_versions.sqlite.sql"),
        postgres: include_str!("../migrations/0018_versions.postgres.sql"),
    },
    Migration {
        version: 19,
        name: "marks, links and API tokens",
        sqlite: include_str!("../migrations/0019_sharing.sqlite.sql"),
        postgres: include_str!("../migrations/0019_sharing.postgres.sql"),
    },
    Migration {
        version: 20,
        name: "conversations about a subject are not shared",
        sqlite: include_str!("../migrations/0020_subjects_not_shared.sqlite.sql"),
        postgres: include_str!("../migrations/0020_subjects_not_shared.postgres.sql"),
    },
    Migration {
        version: 21,
        name: "mail about the inbox",
        sqlite: include_str!("../migrations/0021_inbox_mails.sqlite.sql"),
        postgres: include_str!("../migrations/0021_inbox_mails.postgres.sql"),
    },
];

impl Store {
    /// The tables must have been migrated with [`Store::migrations`].
    pub fn new(db: Db, appliers: Appliers) -> Store {
        Store {
            db,
            appliers,
            attachment_quota: attachments::QUOTA,
            renewals: Renewals::default(),
        }
    }

    /// With another limit on what the files of a person or company take together.
    pub fn with_attachment_quota(self, bytes: u64) -> Store {
        Store {
            attachment_quota: bytes,
            ..self
        }
    }

    /// Prepares the statements of signing in and opening a turn on a Postgres connection, so that
    /// the first request is not slower. A failure is only logged.
    pub async fn warm_up(&self) {
        if self.db.dialect() == Dialect::Sqlite {
            return;
        }
        let nobody = Claims::none();
        let asked = self
            .read_as(&nobody, |tx| {
                Box::pin(async move {
                    people::prepare(tx).await?;
                    caller::prepare(tx).await?;
                    turns::prepare(tx).await
                })
            })
            .await;
        if let Err(error) = asked {
            tracing::debug!("the first connection could not be prepared: {error}");
        }
    }

    pub fn migrations() -> MigrationSet {
        MigrationSet {
            owner: "platform",
            hooks: Some(ROLES),
            steps: STEPS,
        }
    }

    pub(crate) fn db(&self) -> &Db {
        &self.db
    }

    /// The work gets the profile of `who`.
    pub(crate) async fn read<T, F>(&self, who: &Principal, work: F) -> Result<T, StoreError>
    where
        F: for<'t> FnOnce(&'t mut Tx, ProfileId) -> BoxFuture<'t, Result<T, TxError>>
            + Send
            + 'static,
        T: Send + 'static,
    {
        let me = who.profile();
        self.read_as(&claims(who), move |tx| work(tx, me)).await
    }

    pub(crate) async fn read_as<T, F>(&self, who: &Claims, work: F) -> Result<T, StoreError>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, TxError>> + Send + 'static,
        T: Send + 'static,
    {
        self.db.read(who, work).await.map_err(TxError::into_store)
    }

    pub(crate) async fn write<T, F>(&self, who: &Principal, work: F) -> Result<T, StoreError>
    where
        F: for<'t> FnOnce(&'t mut Tx, ProfileId) -> BoxFuture<'t, Result<T, TxError>>
            + Send
            + 'static,
        T: Send + 'static,
    {
        let me = who.profile();
        self.write_as(&claims(who), move |tx| work(tx, me)).await
    }

    /// As [`Store::write`], for what a person waits for: a transaction that collided with another
    /// one left nothing behind and is run again.
    pub(crate) async fn write_again<T>(
        &self,
        who: &Principal,
        job: impl Fn() -> Job<T> + Send,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
    {
        let claims = claims(who);
        for attempt in 1..ATTEMPTS {
            match self.db.write(&claims, job()).await {
                Err(TxError::Db(error @ DbError::Retryable { .. })) => {
                    tracing::info!(attempt, "{error}");
                    tokio::time::sleep(PAUSE * attempt).await;
                }
                done => return done.map_err(TxError::into_store),
            }
        }
        self.write_as(&claims, job()).await
    }

    pub(crate) async fn write_as<T, F>(&self, who: &Claims, work: F) -> Result<T, StoreError>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, TxError>> + Send + 'static,
        T: Send + 'static,
    {
        self.db.write(who, work).await.map_err(TxError::into_store)
    }
}

fn claims(who: &Principal) -> Claims {
    Claims::subject(who.subject())
}
