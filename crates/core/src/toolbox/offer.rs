//! The tools offered to a model: those that a person may use now, serialised once, and the names of
//! the others, so that a request for one of them gets a clear answer.

use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use serde_json::Value;

use super::Toolbox;
use crate::access::Principal;
use crate::phase::Phase;
use crate::tool::ToolDef;

/// The `tools` array of a request, byte-stable for the same set of tools.
pub struct Offer {
    pub json: Bytes,
    pub tools: Vec<ToolDef>,
    /// The assistant's other tools. They are not sent to a model and cannot be called.
    pub elsewhere: Vec<Elsewhere>,
    /// The assistant's `phrasings.txt`, which trains the offline model. Language models do not get
    /// it.
    pub phrasings: Arc<str>,
}

#[derive(Clone, Debug)]
pub struct Elsewhere {
    pub tool: ToolDef,
    pub bar: Bar,
}

/// The reason why a person cannot use a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bar {
    Role,
    Phase,
}

/// The cache key of an offer: the bar of each tool, and whether texts can be read.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct OfferKey {
    bars: Vec<Option<Bar>>,
    reading: bool,
}

impl Offer {
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl Toolbox {
    /// An empty offer, for requests outside a conversation.
    pub(crate) fn no_offer(&self) -> Arc<Offer> {
        Arc::new(Offer {
            json: Bytes::from_static(b"[]"),
            tools: Vec::new(),
            elsewhere: Vec::new(),
            phrasings: Arc::clone(&self.phrasings),
        })
    }

    pub fn offer(&self, principal: &Principal, phase: &Phase) -> Arc<Offer> {
        self.offer_of(principal, phase, false)
    }

    /// Adds the tool that reads texts, for a model that sees only parts of some.
    pub fn offer_with_reading(&self, principal: &Principal, phase: &Phase) -> Arc<Offer> {
        self.offer_of(principal, phase, true)
    }

    fn offer_of(&self, principal: &Principal, phase: &Phase, reading: bool) -> Arc<Offer> {
        let bars: Vec<Option<Bar>> = self
            .defs()
            .map(|def| Self::bar(def, principal, phase))
            .collect();
        let key = OfferKey { bars, reading };
        let known = self.offers.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(offer) = known.get(&key) {
            return Arc::clone(offer);
        }
        drop(known);
        let offer = self.make_offer(&key);
        self.offers
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(key)
            .or_insert(offer)
            .clone()
    }

    fn make_offer(&self, key: &OfferKey) -> Arc<Offer> {
        let bars = &key.bars;
        let open = |bar: &Option<Bar>| bar.is_none();
        let mut tools: Vec<ToolDef> = self
            .defs()
            .zip(bars)
            .filter(|(_, bar)| open(bar))
            .map(|(def, _)| def.clone())
            .collect();
        // A person without any tool learns nothing about the others.
        let others = self.defs().zip(bars).filter(|_| !tools.is_empty());
        let elsewhere: Vec<Elsewhere> = others
            .filter_map(|(def, bar)| {
                let tool = def.clone();
                bar.map(|bar| Elsewhere { tool, bar })
            })
            .collect();
        if key.reading {
            tools.extend(self.built_in().cloned());
        }
        let json: Vec<Value> = tools.iter().map(ToolDef::to_openai_format).collect();
        Arc::new(Offer {
            json: Bytes::from(Value::Array(json).to_string()),
            tools,
            elsewhere,
            phrasings: Arc::clone(&self.phrasings),
        })
    }
}

#[cfg(test)]
#[path = "offer_tests.rs"]
mod offer_tests;
