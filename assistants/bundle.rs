//! Everything an assistant brings with it, and what it is given. The product knows
//! assistants only as bundles.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::persona::Persona;
use frontdesk_db::{Db, MigrationSet};
use frontdesk_store::ApplyChange;

/// What an assistant may build itself from.
pub struct Surroundings {
    /// For its own tables; migrated before anything runs.
    pub db: Db,
    /// Its settings, by key.
    pub settings: BTreeMap<String, String>,
    /// Where people reach this server.
    pub public_url: String,
}

pub struct Bundle {
    pub assistant: Assistant,
    /// Demo people who use it.
    pub personas: Vec<Persona>,
    /// Tables of its own.
    pub migrations: Option<MigrationSet>,
    /// How its transactional tools' changes are applied, by kind.
    pub appliers: Vec<(&'static str, Arc<dyn ApplyChange>)>,
    /// Routes of its own, mounted under `/api/v1`.
    pub routes: Option<Router>,
}

impl Bundle {
    /// An assistant with nothing but itself and the people who use it.
    pub fn new(assistant: Assistant, personas: Vec<Persona>) -> Self {
        Self {
            assistant,
            personas,
            migrations: None,
            appliers: Vec::new(),
            routes: None,
        }
    }
}
