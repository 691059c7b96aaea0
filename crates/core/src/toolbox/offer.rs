//! What a model is offered: the tools a person may use now, serialised once.

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
}

impl Offer {
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl Toolbox {
    /// The tools this person may use in this phase.
    pub fn offer(&self, principal: &Principal, phase: &Phase) -> Arc<Offer> {
        let visible: Vec<bool> = self
            .defs()
            .map(|def| Self::is_visible(def, principal, phase))
            .collect();
        let known = self.offers.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(offer) = known.get(&visible) {
            return Arc::clone(offer);
        }
        drop(known);
        let tools: Vec<ToolDef> = self
            .defs()
            .zip(&visible)
            .filter(|(_, visible)| **visible)
            .map(|(def, _)| def.clone())
            .collect();
        let json: Vec<Value> = tools.iter().map(ToolDef::to_openai_format).collect();
        let offer = Arc::new(Offer {
            json: Bytes::from(Value::Array(json).to_string()),
            tools,
        });
        self.offers
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(visible)
            .or_insert(offer)
            .clone()
    }
}

#[cfg(test)]
#[path = "offer_tests.rs"]
mod offer_tests;
