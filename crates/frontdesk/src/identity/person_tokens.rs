//! The token with which each person last signed in, for systems that accept it. In memory only.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use uuid::Uuid;

/// More people than this are not kept; those whose tokens expire first make room.
const MOST: usize = 10_000;

#[derive(Default)]
pub struct PersonTokens(RwLock<HashMap<Uuid, (SecretString, DateTime<Utc>)>>);

impl PersonTokens {
    /// Keeps a verified token until it expires.
    pub fn keep(&self, subject: Uuid, token: &str, expires: DateTime<Utc>, now: DateTime<Utc>) {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if known
            .get(&subject)
            .is_some_and(|(_, known)| *known >= expires)
        {
            return;
        }
        drop(known);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.retain(|_, (_, expires)| *expires > now);
            let first = known.iter().min_by_key(|(_, (_, expires))| *expires);
            if let Some(first) = first
                .map(|(subject, _)| *subject)
                .filter(|_| known.len() >= MOST)
            {
                known.remove(&first);
            }
        }
        known.insert(subject, (SecretString::from(token), expires));
    }

    /// The token of this person, if it is still valid.
    pub fn of(&self, subject: Uuid, now: DateTime<Utc>) -> Option<SecretString> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let (token, expires) = known.get(&subject)?;
        (*expires > now).then(|| token.clone())
    }
}
