//! Choices that nobody named, by what was learned: "he's gone for good" is not returnable, "I'd rather see it
//! running first" is a demo.

use serde_json::Value;

use super::super::param::Param;
use super::Filling;

/// From here on a sentence means a tool well enough to tell its choices by it.
const MEANT: f32 = 0.6;
/// From here on a choice is what was meant, and where something is changed by it.
const CHOSEN: f32 = 0.75;
const SURELY_CHOSEN: f32 = 0.9;

impl Filling<'_> {
    pub(super) fn learned_choice(&self, param: &Param) -> Option<Value> {
        let index = self.sources.index;
        let (taught, likely) = (index.taught.as_ref()?, self.sources.reading.likely(index)?);
        let tool = index.by_name(&self.tool.name)?;
        let (value, share) = taught.choice(likely, tool, &param.name)?;
        let alters = self.tool.writes && !self.tool.drafts;
        let enough = if alters { SURELY_CHOSEN } else { CHOSEN };
        (likely.tools[tool] >= MEANT && share >= enough).then(|| value.clone())
    }
}
