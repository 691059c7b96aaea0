//! Pasted blocks and attachments, which travel by handle.

use serde_json::Value;

use super::super::lexicon::LEXICON;
use super::super::param::Kind;
use super::Filling;

/// A block that is pasted after a colon or a line break is worth taking from here on.
const SHORTEST_BLOCK: usize = 20;
/// And where nothing says what it is.
const SHORTEST_UNCALLED: usize = 60;

impl Filling<'_> {
    pub(super) fn take_handles(&mut self) {
        let mut files = self.sources.said.files.iter();
        for param in self.open(|kind| matches!(kind, Kind::File)) {
            if let Some(number) = files.next() {
                self.set(param, Value::String(format!("file:{number}")));
            }
        }
        let mut texts = self.sources.said.texts.iter();
        for param in self.open(|kind| matches!(kind, Kind::LongText)) {
            if let Some(number) = texts.next() {
                self.set(param, Value::String(format!("text:{number}")));
            }
        }
        self.take_block();
        self.recall_block();
    }

    /// A short block, pasted below the message or, where one is needed, behind a colon in it.
    fn take_block(&mut self) {
        let open = self.open(|kind| matches!(kind, Kind::LongText));
        if let (Some(block), Some(param)) = (&self.sources.said.block, open.first())
            && param.fits(block)
        {
            self.set(param, Value::String(block.clone()));
            return;
        }
        let Some(param) = open.into_iter().find(|param| param.required) else {
            return;
        };
        let text = &self.sources.reading.text;
        let Some(at) = text.raw.find([':', '\n']) else {
            return;
        };
        let block = text.raw[at + 1..].trim();
        // "new role: Test Lead, make the profile": what is short must be called what is looked for.
        let label = text.words_in(&(0..at)).next_back();
        let called = label.is_some_and(|label| {
            let keys = &text.words[label].keys;
            let means = &self.sources.reading.meanings[label].concepts;
            let mut means = means.iter().map(|concept| LEXICON.key(*concept));
            keys.iter()
                .any(|key| param.labels.contains(key) || param.hints.contains(key))
                || means.any(|key| param.labels.contains(&key) || param.hints.contains(&key))
        });
        let shortest = if called {
            SHORTEST_BLOCK
        } else {
            SHORTEST_UNCALLED
        };
        if block.chars().count() < shortest || !param.fits(block) {
            return;
        }
        let span = at + 1..text.raw.len();
        self.take_span(span);
        self.set(param, Value::String(block.to_owned()));
    }

    /// A block that was pasted earlier, where one is needed.
    fn recall_block(&mut self) {
        let open = self.open(|kind| matches!(kind, Kind::LongText));
        let Some(param) = open.into_iter().find(|param| param.required) else {
            return;
        };
        let is_handle = |text: &str| text.starts_with("text:");
        let pasted = self.sources.memory.pasted();
        if let Some(pasted) = pasted.filter(|text| is_handle(text) || param.fits(text)) {
            self.filled.recalled.insert(param.name.clone());
            self.set(param, Value::String(pasted));
        }
    }
}
