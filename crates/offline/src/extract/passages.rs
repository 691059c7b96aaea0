//! Long texts: pasted ones by handle, and those that follow a colon or stand below the first line.

use serde_json::Value;

use super::Reading;
use crate::schema::{Kind, Param};
use crate::text::same_stem;

impl Reading<'_> {
    pub(super) fn read_passages(&mut self) {
        let params = self.params(|kind| matches!(kind, Kind::Passage));
        let mut open: Vec<&Param> = params;
        let handles: Vec<(String, String)> = self
            .said
            .texts
            .iter()
            .zip(&self.said.leads)
            .map(|(number, lead)| (format!("text:{number}"), lead.clone()))
            .collect();
        for (handle, lead) in handles {
            let Some(place) = best(&open, &lead) else {
                break;
            };
            let param = open.remove(place);
            self.put(param, Value::from(handle));
        }
        if self.found.is_empty()
            && let Some((lead, passage)) = self.said.parted()
            && let Some(place) = best(&open, lead)
        {
            self.put(open[place], Value::from(passage));
        }
    }
}

/// The parameter that the words before a text name; without any the first one, required ones first.
fn best(params: &[&Param], lead: &str) -> Option<usize> {
    let words: Vec<String> = crate::text::words(lead)
        .into_iter()
        .map(|word| word.lower)
        .collect();
    let score = |param: &&Param| {
        let own = param.own_words.iter();
        own.filter(|own| words.iter().any(|word| same_stem(own, word)))
            .count()
    };
    let scores: Vec<usize> = params.iter().map(score).collect();
    let top = scores.iter().copied().max()?;
    scores.iter().position(|one| *one == top)
}
