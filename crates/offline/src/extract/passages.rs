//! Long texts: pasted ones by handle, and those that follow a colon or stand below the first line.

use serde_json::Value;

use super::Reading;
use crate::schema::{Kind, Param};
use crate::text::{same_stem, words};

impl Reading<'_> {
    pub(super) fn read_passages(&mut self) {
        let mut open = self.params(|kind| matches!(kind, Kind::Passage));
        let pasted = self.said.texts.iter().zip(&self.said.leads);
        let mut passages: Vec<(&str, String)> = pasted
            .map(|(number, lead)| (lead.as_str(), format!("text:{number}")))
            .collect();
        if passages.is_empty() {
            passages.extend(
                self.said
                    .parted()
                    .map(|(lead, text)| (lead, text.to_owned())),
            );
        }
        for (lead, passage) in passages {
            if let Some(place) = named(&open, lead) {
                self.put(open.remove(place), Value::from(passage));
            }
        }
    }
}

/// The parameter that the words before a text name; without any the first one, required ones first.
fn named(params: &[&Param], lead: &str) -> Option<usize> {
    let lead = words(lead);
    let said = |own: &&String| lead.iter().any(|word| same_stem(own, &word.lower));
    let score = |place: &usize| params[*place].own_words.iter().filter(said).count();
    (0..params.len()).rev().max_by_key(score)
}
