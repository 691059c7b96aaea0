//! The people who used this process, with the roles of their newest sign-in. Roles come with tokens
//! and are not stored, so the list begins anew with the process.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::id::ProfileId;
use schemars::JsonSchema;
use serde::Serialize;

/// More people than one page shows.
const MOST: usize = 500;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PersonSeen {
    pub id: ProfileId,
    pub name: String,
    pub roles: Vec<Role>,
    pub seen_at: DateTime<Utc>,
}

#[derive(Default)]
pub struct PeopleSeen(Mutex<BTreeMap<ProfileId, PersonSeen>>);

impl PeopleSeen {
    pub fn record(&self, who: &Principal, now: DateTime<Utc>) {
        let mut people = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let id = who.profile();
        if people.len() >= MOST && !people.contains_key(&id) {
            let oldest = people.values().min_by_key(|person| person.seen_at);
            if let Some(oldest) = oldest.map(|person| person.id) {
                people.remove(&oldest);
            }
        }
        people.insert(
            id,
            PersonSeen {
                id,
                name: who.name().to_owned(),
                roles: who.roles().iter().cloned().collect(),
                seen_at: now,
            },
        );
    }

    /// The last one first.
    pub fn list(&self) -> Vec<PersonSeen> {
        let people = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut list: Vec<PersonSeen> = people.values().cloned().collect();
        list.sort_by_key(|person| Reverse(person.seen_at));
        list
    }
}
