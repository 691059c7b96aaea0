//! Gigs and their candidates in the database. Every statement is limited to the person's workspaces. Loaded
//! pools are cached until the gig's version changes.

mod read;
mod write;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::id::{CompanyId, ConversationId};
use frontdesk_core::store::StoreError;
use frontdesk_core::subject::Subjects;
use frontdesk_db::{Claims, Db, DbError, Migration, MigrationSet, PostgresHooks, Tx};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::domain::gig_fields::{FieldProblem, GigFields};
use super::domain::language::Language;
use super::domain::pool::Pool;
use super::domain::rates::Rates;
use read::Gig;

pub(super) use read::{CandidateName, GigCard};
pub(super) use write::{
    Assessment, ImportOutcome, NewGig, NewResponse, SET_HR_STATUS, SetHrStatus,
};

pub(super) const MIGRATIONS: MigrationSet = MigrationSet {
    owner: "gig",
    hooks: Some(PostgresHooks {
        indexes: &[
            "gig_chat_message_session_idx ON messages (conversation_id) WHERE part = 'said'",
            "gig_chat_message_session_created_idx ON messages (conversation_id, created_at) WHERE part = 'said'",
        ],
        // It built these indexes while writers waited.
        superseded: &[(
            3,
            "5ca9d305fe6dde1ed2d192beab60781600950eddbb116b90f8d74e8e3064d8a2",
        )],
        ..PostgresHooks::NONE
    }),
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
        Migration {
            version: 3,
            name: "rankings are computed; message indexes and roles",
            sqlite: include_str!("../migrations/0003_queries.sqlite.sql"),
            postgres: include_str!("../migrations/0003_queries.postgres.sql"),
        },
        Migration {
            version: 4,
            name: "messages that are shown",
            sqlite: include_str!("../migrations/0004_shown_messages.sqlite.sql"),
            postgres: include_str!("../migrations/0004_shown_messages.postgres.sql"),
        },
        Migration {
            version: 5,
            name: "conversations that name no gig follow it",
            sqlite: include_str!("../migrations/0005_unnamed_gigs.sqlite.sql"),
            postgres: include_str!("../migrations/0005_unnamed_gigs.postgres.sql"),
        },
    ],
};

/// Maximum age of a cached pool: the ranking depends on the days that are left.
const CACHE_TIME: TimeDelta = TimeDelta::minutes(5);
/// Pools that one process caches.
const MOST_CACHED: usize = 200;
/// Between the gig and the number of a conversation that was begun without naming a gig. Such a subject gives
/// the conversation the gig's access; the chat of a gig has the gig alone as its subject.
const UNNAMED: char = '/';

#[derive(Debug, thiserror::Error)]
pub(super) enum GigError {
    #[error("there is no such gig")]
    NotFound,
    #[error("the gig belongs to a workspace that this person is not in")]
    Forbidden,

    #[error(transparent)]
    Db(#[from] DbError),
}

/// The reason why a gig is not created or changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum GigWriteError {
    #[error(transparent)]
    Gig(#[from] GigError),
    #[error("the person is in several workspaces, or in none; one must be named")]
    NoWorkspace,
    #[error("{}", .0.words(Language::English))]
    Field(FieldProblem),
    #[error("the key belongs to another request")]
    KeyReused,
}

/// A gig that was created, now or by an earlier request with the same key.
pub(super) struct CreatedGig {
    pub(super) id: Uuid,
    pub(super) is_replayed: bool,
}

impl From<DbError> for GigWriteError {
    fn from(error: DbError) -> Self {
        Self::Gig(error.into())
    }
}

pub(super) struct Gigs {
    db: Db,
    env: Arc<dyn Env>,
    rates: Arc<Rates>,
    cache: Mutex<HashMap<Uuid, CachedPool>>,
}

struct CachedPool {
    version: i64,
    built: DateTime<Utc>,
    pool: Arc<Pool>,
}

/// A gig with all its candidates, after the person's access was checked.
#[derive(Clone)]
pub(super) struct LoadedGig {
    pub(super) workspace: CompanyId,
    pub(super) pool: Arc<Pool>,
}

impl Gigs {
    pub(super) fn new(db: Db, env: Arc<dyn Env>, rates: Rates) -> Self {
        Self {
            db,
            env,
            rates: Arc::new(rates),
            cache: Mutex::default(),
        }
    }

    /// The gigs of the person's workspaces, newest first.
    pub(super) async fn list(&self, who: &Principal) -> Result<Vec<GigCard>, DbError> {
        let me = who.profile().uuid();
        self.db
            .read(&claims(who), move |tx| Box::pin(read::cards(tx, me)))
            .await
    }

    /// The named candidates of the person's gigs, newest first.
    pub(super) async fn candidate_names(
        &self,
        who: &Principal,
    ) -> Result<Vec<CandidateName>, DbError> {
        let me = who.profile().uuid();
        self.db
            .read(&claims(who), move |tx| Box::pin(read::names(tx, me)))
            .await
    }

    /// The gig's title and workspace, if the person may see it.
    pub(super) async fn card(&self, who: &Principal, gig: Uuid) -> Result<GigCard, GigError> {
        let me = who.profile().uuid();
        self.db
            .read(&claims(who), move |tx| Box::pin(read::card(tx, me, gig)))
            .await
    }

    /// The gig and its candidates: the cached pool while the gig's version is unchanged.
    pub(super) async fn load(&self, who: &Principal, gig: Uuid) -> Result<LoadedGig, GigError> {
        let me = who.profile().uuid();
        let known = self.known(gig);
        let (found, raw) = self
            .db
            .read(&claims(who), move |tx| {
                Box::pin(load_changed(tx, me, gig, known))
            })
            .await?;
        let workspace = found.workspace;
        if let (None, Some(pool)) = (&raw, self.cached_pool(gig, found.version)) {
            return Ok(LoadedGig { workspace, pool });
        }
        let raw = match raw {
            Some(raw) => raw,
            // Another request replaced the cached pool between the two reads.
            None => {
                self.db
                    .read(&claims(who), move |tx| Box::pin(read::candidates(tx, gig)))
                    .await?
            }
        };
        let now = self.env.now();
        let pool = Arc::new(Pool::build(found.context, raw, &self.rates, now));
        self.keep(gig, found.version, now, &pool);
        Ok(LoadedGig { workspace, pool })
    }

    /// The gig that a conversation is about. Without a subject it is about none: access to what it says could
    /// not follow access to a gig.
    pub(super) async fn of(
        &self,
        who: &Principal,
        conversation: &Conversation,
    ) -> Result<LoadedGig, GigError> {
        let subject = conversation.subject.as_deref().unwrap_or_default();
        let named = subject.split(UNNAMED).next().unwrap_or_default();
        let gig = named.parse().map_err(|_| GigError::NotFound)?;
        self.load(who, gig).await
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

    /// Questions before the newest messages, oldest first.
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

    /// Creates a gig; returns false when one with its id exists.
    pub(super) async fn add(&self, who: &Principal, gig: NewGig) -> Result<bool, DbError> {
        let now = self.env.now();
        self.db
            .write(&claims(who), move |tx| {
                Box::pin(write::create(tx, gig, now))
            })
            .await
    }

    /// Creates a gig in one of the person's workspaces: the named one, or the only one. A repeated
    /// request with the same key creates nothing.
    pub(super) async fn create(
        &self,
        who: &Principal,
        key: Option<&str>,
        workspace: Option<Uuid>,
        fields: GigFields,
    ) -> Result<CreatedGig, GigWriteError> {
        let (me, now) = (who.profile().uuid(), self.env.now());
        let id = key.map_or_else(|| self.env.id(), |key| id_of_key(me, key));
        self.db
            .write(&claims(who), move |tx| {
                Box::pin(async move {
                    let workspace = read::workspace(tx, me, workspace).await?;
                    let gig = NewGig {
                        id,
                        workspace,
                        fields: fields.clone(),
                        created_at: now,
                    };
                    let is_replayed = !write::create(tx, gig, now).await?;
                    if is_replayed && read::fields(tx, me, id).await? != fields {
                        return Err(GigWriteError::KeyReused);
                    }
                    Ok(CreatedGig { id, is_replayed })
                })
            })
            .await
    }

    /// Changes the fields that `edit` names; returns whether anything differs.
    pub(super) async fn edit(
        &self,
        who: &Principal,
        gig: Uuid,
        edit: Map<String, Value>,
    ) -> Result<bool, GigWriteError> {
        let (me, now) = (who.profile().uuid(), self.env.now());
        self.db
            .write(&claims(who), move |tx| {
                Box::pin(async move {
                    let stored = read::fields(tx, me, gig).await?;
                    let edited =
                        GigFields::read(Some(&stored), edit).map_err(GigWriteError::Field)?;
                    let differs = edited != stored;
                    if differs {
                        write::edit(tx, gig, edited, now).await?;
                    }
                    Ok(differs)
                })
            })
            .await
    }

    /// Adds responses and updates known ones, by `candidate_id`. One outcome for each.
    pub(super) async fn respond(
        &self,
        who: &Principal,
        gig: Uuid,
        responses: Vec<NewResponse>,
    ) -> Result<Vec<ImportOutcome>, GigError> {
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

    /// Time until the person may send another message, if their rate limit is reached.
    pub(super) async fn rate_limit(&self, who: &Principal) -> Result<Option<Duration>, DbError> {
        let me = who.profile().uuid();
        let now = self.env.now();
        self.db
            .read(&claims(who), move |tx| {
                Box::pin(read::rate_limit(tx, me, now))
            })
            .await
    }

    fn known(&self, gig: Uuid) -> Option<i64> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = cache.get(&gig)?;
        (self.env.now() - cached.built < CACHE_TIME).then_some(cached.version)
    }

    fn cached_pool(&self, gig: Uuid, version: i64) -> Option<Arc<Pool>> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = cache.get(&gig).filter(|one| one.version == version)?;
        Some(Arc::clone(&cached.pool))
    }

    fn keep(&self, gig: Uuid, version: i64, built: DateTime<Utc>, pool: &Arc<Pool>) {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.len() >= MOST_CACHED {
            cache.retain(|_, one| built - one.built < CACHE_TIME);
        }
        if cache.len() >= MOST_CACHED {
            cache.clear();
        }
        let pool = Arc::clone(pool);
        cache.insert(
            gig,
            CachedPool {
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

    /// The newest gig that collects responses, or else the newest.
    async fn default_for(
        &self,
        who: &Principal,
        company: Option<CompanyId>,
    ) -> Result<Option<(String, CompanyId)>, StoreError> {
        let gigs = self.list(who).await;
        let mut gigs = gigs.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        gigs.retain(|gig| company.is_none_or(|company| company.uuid() == gig.workspace_id));
        let newest = gigs.iter().find(|gig| gig.is_active).or(gigs.first());
        Ok(newest.map(|gig| {
            let subject = format!("{}{UNNAMED}{}", gig.id, self.env.id());
            (subject, CompanyId::from_uuid(gig.workspace_id))
        }))
    }
}

/// The gig, and its candidates unless they are cached for its version.
async fn load_changed(
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

/// The id of the gig that this person creates with this key: the same for a repeated request.
fn id_of_key(person: Uuid, key: &str) -> Uuid {
    let digest = Sha256::new()
        .chain_update(person.as_bytes())
        .chain_update(key.as_bytes())
        .finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}
