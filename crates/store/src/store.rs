//! The store itself: a database, and how changes are applied to it.

use frontdesk_core::access::Principal;
use frontdesk_core::store::StoreError;
use frontdesk_db::{Claims, Db, Migration, MigrationSet, Tx};
use futures_util::future::BoxFuture;

use crate::applier::Appliers;
use crate::attachments;
use crate::fault::Fault;

/// Implements every port of `frontdesk_core::store`. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    db: Db,
    pub(crate) appliers: Appliers,
    pub(crate) attachment_quota: u64,
}

const STEPS: &[Migration] = &[
    Migration {
        version: 1,
        name: "conversations and turns",
        sqlite: include_str!("../schema/sqlite.sql"),
        postgres: concat!(
            include_str!("../schema/postgres/1-roles.sql"),
            include_str!("../schema/postgres/2-tables.sql"),
            include_str!("../schema/postgres/3-functions.sql"),
            include_str!("../schema/postgres/4-policies.sql"),
        ),
    },
    Migration {
        version: 2,
        name: "turns in flight, unknown writes, foreign auth schemas",
        sqlite: include_str!("../schema/sqlite-2.sql"),
        postgres: include_str!("../schema/postgres/5-more.sql"),
    },
    Migration {
        version: 3,
        name: "invitations, opinions and usage",
        sqlite: include_str!("../schema/3-people/sqlite.sql"),
        postgres: include_str!("../schema/3-people/postgres.sql"),
    },
    Migration {
        version: 4,
        name: "what turns may use, and who sees invitations",
        sqlite: include_str!("../schema/4-limits/sqlite.sql"),
        postgres: include_str!("../schema/4-limits/postgres.sql"),
    },
];

impl Store {
    /// The tables must have been migrated with [`Store::migrations`].
    pub fn new(db: Db, appliers: Appliers) -> Store {
        Store {
            db,
            appliers,
            attachment_quota: attachments::QUOTA,
        }
    }

    /// With another limit on what the files of a person or company take together.
    pub fn with_attachment_quota(self, bytes: u64) -> Store {
        Store {
            attachment_quota: bytes,
            ..self
        }
    }

    pub fn migrations() -> MigrationSet {
        MigrationSet {
            owner: "platform",
            steps: STEPS,
        }
    }

    pub(crate) fn db(&self) -> &Db {
        &self.db
    }

    pub(crate) async fn read<T, F>(&self, who: &Principal, work: F) -> Result<T, StoreError>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, Fault>> + Send + 'static,
        T: Send + 'static,
    {
        self.read_as(&claims(who), work).await
    }

    pub(crate) async fn read_as<T, F>(&self, who: &Claims, work: F) -> Result<T, StoreError>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, Fault>> + Send + 'static,
        T: Send + 'static,
    {
        self.db.read(who, work).await.map_err(Fault::into_store)
    }

    pub(crate) async fn write<T, F>(&self, who: &Principal, work: F) -> Result<T, StoreError>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, Fault>> + Send + 'static,
        T: Send + 'static,
    {
        self.write_as(&claims(who), work).await
    }

    pub(crate) async fn write_as<T, F>(&self, who: &Claims, work: F) -> Result<T, StoreError>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, Fault>> + Send + 'static,
        T: Send + 'static,
    {
        self.db.write(who, work).await.map_err(Fault::into_store)
    }
}

fn claims(who: &Principal) -> Claims {
    Claims::subject(who.subject())
}
