//! Indexes of the offers seen so far. Offers are few (one for each set of visible
//! tools), so an index is built once and kept.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;
use frontdesk_core::toolbox::{Offer, Phrasings};

use super::super::learned::Learned;
use super::Index;

/// More sets of visible tools than any installation has; beyond that the oldest goes.
const MOST_KEPT: usize = 64;

#[derive(Default)]
pub(crate) struct IndexCache {
    known: RwLock<Vec<Known>>,
    /// What lists teach: one list serves all offers of an assistant.
    lists: RwLock<Vec<List>>,
}

/// A list, and what it teaches.
struct List {
    phrasings: Arc<Phrasings>,
    learned: Option<Arc<Learned>>,
}

struct Known {
    json: Bytes,
    phrasings: Arc<Phrasings>,
    teaching: u64,
    index: Arc<Index>,
}

impl IndexCache {
    pub(crate) fn of(&self, offer: &Offer) -> Arc<Index> {
        let teaching = teaching(offer);
        let is_same = |known: &&Known| {
            known.teaching == teaching
                && known.json == offer.json
                && is_same_list(&known.phrasings, &offer.phrasings)
        };
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.iter().find(is_same) {
            return Arc::clone(&found.index);
        }
        drop(known);
        let index = Arc::new(Index::new(offer, self.learned_from(&offer.phrasings)));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() == MOST_KEPT {
            known.remove(0);
        }
        known.push(Known {
            json: offer.json.clone(),
            phrasings: Arc::clone(&offer.phrasings),
            teaching,
            index: Arc::clone(&index),
        });
        index
    }

    fn learned_from(&self, list: &Arc<Phrasings>) -> Option<Arc<Learned>> {
        let known = self.lists.read().unwrap_or_else(PoisonError::into_inner);
        let is_same = |known: &&List| is_same_list(&known.phrasings, list);
        if let Some(found) = known.iter().find(is_same) {
            return found.learned.clone();
        }
        drop(known);
        let learned = Learned::from(list).map(Arc::new);
        let mut known = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() == MOST_KEPT {
            known.remove(0);
        }
        known.push(List {
            phrasings: Arc::clone(list),
            learned: learned.clone(),
        });
        learned
    }
}

fn is_same_list(one: &Arc<Phrasings>, other: &Arc<Phrasings>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// What an offer teaches beside the JSON that models are sent.
fn teaching(offer: &Offer) -> u64 {
    let mut hasher = DefaultHasher::new();
    let others = offer.elsewhere.iter();
    for other in others.clone() {
        other.bar.hash(&mut hasher);
    }
    for tool in offer.tools.iter().chain(others.map(|other| &other.tool)) {
        tool.name.hash(&mut hasher);
        tool.spec.title.hash(&mut hasher);
        tool.spec.target.hash(&mut hasher);
        tool.spec.effect.writes().hash(&mut hasher);
        tool.spec.listens.is_some().hash(&mut hasher);
        tool.spec.produces.hash(&mut hasher);
        for example in &tool.spec.examples {
            example.say.hash(&mut hasher);
            example.arguments.to_string().hash(&mut hasher);
        }
    }
    hasher.finish()
}
