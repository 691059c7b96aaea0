//! Gigs and their candidates in the database. Every statement says whose they are; what was read is
//! kept for a while and used only as long as nothing has changed.

mod read;
mod write;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::id::{CompanyId, ConversationId};
use frontdesk_core::store::StoreError;
use frontdesk_core::subject::Subjects;
use frontdesk_db::{Claims, Db, DbError, Migration, MigrationSet, Tx};
use serde_json::Value;
use uuid::Uuid;

use super::domain::pool::Pool;
use read::Gig;

pub(super) use read::GigCard;
pub(super) use write::{Assessment, NewGig, NewResponse, SET_HR_STATUS, SetHrStatus, Stored};

pub(super) const MIGRATIONS: MigrationSet = MigrationSet {
    owner: "gig",
    steps: &[
        Migration {
            version: 1,
            name: "gigs, responses, screenings, interviews",
            sqlite: include_str!("../migrations/0001_gigs.sqlite.sql"),
            postgres: include_str!("../migrations/0001_gigs.postgres.sql"),
        },
        Migration {
            version: 2,
            name: "chats follow their gig",
            sqlite: include_str!("../migrations/0002_chats.sqlite.sql"),
            postgres: include_str!("../migrations/0002_chats.postgres.sql"),
        },
    ],
};

/// How long a context may be used without being built anew, though nothing was changed: places
/// depend on the days that are left.
const KEPT_FOR: TimeDelta = TimeDelta::minutes(5);
/// Contexts of so many gigs are kept in a process.
const MOST_KEPT: usize = 200;
/// Where a conversation without a subject remembers its gig.
pub(super) const REMEMBERED: &str = "gig";

#[derive(Debug, thiserror::Error)]
pub(super) enum GigError {
    #[error("there is no such gig")]
    NotFound,
    #[error("the gig belongs to a workspace that this person is not in")]
    Forbidden,
    #[error(transparent)]
    Db(#[from] DbError),
}

pub(super) struct Gigs {
    db: Db,
    env: Arc<dyn Env>,
    kept: Mutex<HashMap<Uuid, Kept>>,
}

struct Kept {
    version: i64,
    built: DateTime<Utc>,
    pool: Arc<Pool>,
}

/// A gig with all its candidates, as somebody may see it.
#[derive(Clone)]
pub(super) struct Seen {
    pub(super) workspace: CompanyId,
    pub(super) pool: Arc<Pool>,
}

impl Gigs {
    pub(super) fn new(db: Db, env: Arc<dyn Env>) -> Self {
        Self {
            db,
            env,
            kept: Mutex::default(),
        }
    }

    /// The gigs of the person's workspaces, newest first.
    pub(super) async fn list(&self, who: &Principal) -> Result<Vec<GigCard>, DbError> {
        let me = who.profile().uuid();
        self.db
            .read(&claims(who), move |tx| Box::pin(read::cards(tx, me)))
            .await
    }

    /// Whether the person may see the gig; its title and workspace.
    pub(super) async fn card(&self, who: &Principal, gig: Uuid) -> Result<GigCard, GigError> {
        let me = who.profile().uuid();
        self.db
            .read(&claims(who), move |tx| Box::pin(read::card(tx, me, gig)))
            .await
    }

    /// The gig and its candidates: what was built before if nothing has changed since, on any node.
    pub(super) async fn load(&self, who: &Principal, gig: Uuid) -> Result<Seen, GigError> {
        let me = who.profile().uuid();
        let known = self.known(gig);
        let (found, raw) = self
            .db
            .read(&claims(who), move |tx| Box::pin(look(tx, me, gig, known)))
            .await?;
        let workspace = found.workspace;
        if let (None, Some(pool)) = (&raw, self.kept_pool(gig, found.version)) {
            return Ok(Seen { workspace, pool });
        }
        let raw = match raw {
            Some(raw) => raw,
            // Another request put its newer context in the way between the two looks.
            None => {
                self.db
                    .read(&claims(who), move |tx| Box::pin(read::candidates(tx, gig)))
                    .await?
            }
        };
        let now = self.env.now();
        let pool = Arc::new(Pool::build(found.context, raw, now));
        self.keep(gig, found.version, now, &pool);
        Ok(Seen { workspace, pool })
    }

    /// The gig that a conversation is about: its subject, what it remembers, or the newest that the
    /// person may see.
    pub(super) async fn of(
        &self,
        who: &Principal,
        conversation: &Conversation,
    ) -> Result<Seen, GigError> {
        let named = match &conversation.subject {
            Some(subject) => Some(subject.as_str()),
            None => conversation
                .metadata
                .get(REMEMBERED)
                .and_then(Value::as_str),
        };
        if let Some(named) = named {
            let gig = named.parse().map_err(|_| GigError::NotFound)?;
            return self.load(who, gig).await;
        }
        let gigs = self.list(who).await?;
        let newest = gigs.iter().find(|gig| gig.is_active).or(gigs.first());
        match newest {
            Some(gig) => self.load(who, gig.id).await,
            None => Err(GigError::NotFound),
        }
    }

    /// The person's chat about a gig, if it was opened before.
    pub(super) async fn session(
        &self,
        who: &Principal,
        gig: Uuid,
    ) -> Result<Option<ConversationId>, DbError> {
        let me = who.profile().uuid();
        self.db
            .read(&claims(who), move |tx| Box::pin(read::session(tx, me, gig)))
            .await
    }

    /// What was asked before the newest messages, oldest first.
    pub(super) async fn earlier_questions(
        &self,
        who: &Principal,
        conversation: ConversationId,
        newest: i64,
    ) -> Result<Vec<String>, DbError> {
        self.db
            .read(&claims(who), move |tx| {
                Box::pin(read::earlier_questions(tx, conversation, newest))
            })
            .await
    }

    /// Puts a gig in, unless it is there.
    pub(super) async fn add(&self, who: &Principal, gig: NewGig) -> Result<bool, DbError> {
        let now = self.env.now();
        self.db
            .write(&claims(who), move |tx| Box::pin(write::add(tx, gig, now)))
            .await
    }

    /// Takes responses in and ranks the gig anew. One answer for each.
    pub(super) async fn respond(
        &self,
        who: &Principal,
        gig: Uuid,
        responses: Vec<NewResponse>,
    ) -> Result<Vec<Stored>, GigError> {
        let me = who.profile().uuid();
        let now = self.env.now();
        let ids: Vec<[Uuid; 2]> = responses
            .iter()
            .map(|_| [self.env.id(), self.env.id()])
            .collect();
        self.db
            .write(&claims(who), move |tx| {
                Box::pin(write::respond(tx, me, gig, responses, ids, now))
            })
            .await
    }

    fn known(&self, gig: Uuid) -> Option<i64> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get(&gig)?;
        (self.env.now() - kept.built < KEPT_FOR).then_some(kept.version)
    }

    fn kept_pool(&self, gig: Uuid, version: i64) -> Option<Arc<Pool>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get(&gig).filter(|kept| kept.version == version)?;
        Some(Arc::clone(&kept.pool))
    }

    fn keep(&self, gig: Uuid, version: i64, built: DateTime<Utc>, pool: &Arc<Pool>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.retain(|_, one| built - one.built < KEPT_FOR);
        }
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        let pool = Arc::clone(pool);
        kept.insert(
            gig,
            Kept {
                version,
                built,
                pool,
            },
        );
    }
}

/// A gig is readable by the members of its workspace.
#[async_trait]
impl Subjects for Gigs {
    async fn readable_in(&self, who: &Principal, subject: &str) -> Result<CompanyId, StoreError> {
        let gig = subject.parse().map_err(|_| StoreError::NotFound)?;
        match self.card(who, gig).await {
            Ok(card) => Ok(CompanyId::from_uuid(card.workspace_id)),
            Err(GigError::NotFound) => Err(StoreError::NotFound),
            Err(GigError::Forbidden) => Err(StoreError::Forbidden),
            Err(GigError::Db(error)) => Err(StoreError::Unavailable(error.to_string())),
        }
    }
}

/// The gig as it is now, and its candidates unless they are known already.
async fn look(
    tx: &mut Tx,
    me: Uuid,
    gig: Uuid,
    known: Option<i64>,
) -> Result<(Gig, Option<Vec<super::domain::candidate::CandidateContext>>), GigError> {
    let found = read::gig(tx, me, gig).await?;
    if known == Some(found.version) {
        return Ok((found, None));
    }
    let candidates = read::candidates(tx, gig).await?;
    Ok((found, Some(candidates)))
}

fn claims(who: &Principal) -> Claims {
    Claims::subject(who.subject())
}
