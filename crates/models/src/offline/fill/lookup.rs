//! What is looked up: a question as it was asked, or the subject that an order to search names, without
//! the words that only say where to look.

use std::ops::Range;

use super::super::cues::Cue;
use super::super::param::Param;
use super::Filling;

impl Filling<'_> {
    /// A question that is looked up is looked up as it was asked, and a trouble as it was told.
    pub(super) fn whole_question(&self, param: &Param) -> Option<String> {
        let reading = self.sources.reading;
        let text = &reading.text;
        let begins = reading.opening();
        let leads = (0..text.words.len()).any(|at| self.leads_to_question(at));
        let told = reading.head.is_none() && begins == 0 && !leads && !Cue::Please.is_in(text);
        // "I changed a few pages, how do I …": what comes first belongs to the question.
        let told = told || begins == 0 && reading.asked_later().is_some();
        // "maternity - when do I have to tell?"
        let dashed = |at: usize| {
            let dash = text.gap_before(at).contains(['-', '–', '—', ':']);
            dash && Cue::Question.at(text, at) > 0
        };
        let told = told || (1..text.words.len()).any(dashed) || text.raw.contains('?');
        let asks = (reading.question || told) && self.is_question_param(param);
        asks.then(|| self.with_subject(param, text.raw.trim()))
    }

    /// "how often must it be changed?": a question that points back is looked up together with the one
    /// before it.
    pub(super) fn with_subject(&self, param: &Param, asked: &str) -> String {
        /// So much of what was asked before is enough to know what it was about.
        const ENOUGH: usize = 200;
        let text = &self.sources.reading.text;
        let points = |at: usize| {
            let length = Cue::Reference.at(text, at);
            let next = at + length;
            let last = next == text.words.len() || text.starts_clause(next);
            // "does that licence expire?", unlike "a policy that covers pets".
            let before = at.checked_sub(1).map(|before| &text.words[before]);
            let named = before.is_some_and(|word| word.function);
            length > 0 && (last || named || text.words[next].function)
        };
        let goes_on = Cue::Join.at(text, 0) > 0 || (0..text.words.len()).any(points);
        let last = self.sources.memory.last_call();
        let last = last.filter(|last| last.name == self.tool.name && goes_on);
        let before = last.and_then(|last| last.arguments.get(&param.name)?.as_str());
        match before {
            Some(before) => {
                let before: String = before.chars().take(ENOUGH).collect();
                format!("{before} {asked}")
            }
            None => asked.to_owned(),
        }
    }

    pub(super) fn is_question_param(&self, param: &Param) -> bool {
        self.tool
            .question_param()
            .is_some_and(|question| question.name == param.name)
    }

    /// Words before a subject that is looked up: the order, and where to look if that is
    /// said ("search the handbook for …").
    pub(super) fn is_lookup_order(&self, at: usize) -> bool {
        let text = &self.sources.reading.text;
        let subject = (0..text.words.len()).find(|w| {
            [
                "for", "about", "on", "по", "про", "о", "efter", "om", "nach", "über",
            ]
            .contains(&text.words[*w].lower.as_str())
        });
        let place = subject.is_some_and(|subject| {
            at < subject
                && (0..subject)
                    .all(|w| text.words[w].function || self.is_head(w) || self.is_place(w))
        });
        self.is_head(at) || place
    }

    /// Whether a word before the subject only says where to look, or that anything will do
    /// ("something about …", "the 2 best pages about …").
    fn is_place(&self, at: usize) -> bool {
        const ANY: [&str; 21] = [
            "something",
            "anything",
            "everything",
            "information",
            "info",
            "stuff",
            "best",
            "top",
            "что-нибудь",
            "информацию",
            "все",
            "лучшие",
            "något",
            "noget",
            "noe",
            "etwas",
            "information",
            "bästa",
            "bedste",
            "beste",
            "besten",
        ];
        let word = &self.sources.reading.text.words[at];
        self.names_place(at) || self.is_taken(at) || ANY.contains(&word.lower.as_str())
    }

    /// "I'd like to know how …": what only leads to the question.
    pub(super) fn leads_to_question(&self, at: usize) -> bool {
        const KNOW: [&str; 9] = [
            "know",
            "wonder",
            "understand",
            "learn",
            "знать",
            "veta",
            "vide",
            "vite",
            "wissen",
        ];
        let text = &self.sources.reading.text;
        KNOW.contains(&text.words[at].lower.as_str()) && Cue::Question.at(text, at + 1) > 0
    }

    /// Without "in the documents" at its end.
    pub(super) fn without_place(&self, words: Range<usize>) -> Range<usize> {
        const IN: [&str; 8] = ["in", "from", "i", "в", "из", "im", "aus", "på"];
        let text = &self.sources.reading.text;
        let at = words.clone().skip(1).find(|at| {
            let place = at + 1..words.end;
            IN.contains(&text.words[*at].lower.as_str())
                && place.clone().any(|w| self.names_place(w))
                && place
                    .into_iter()
                    .all(|w| text.words[w].function || self.names_place(w))
        });
        words.start..at.unwrap_or(words.end)
    }

    /// Whether this word says where a lookup tool looks.
    fn names_place(&self, at: usize) -> bool {
        let documents = ["#document", "#message"];
        let term = self
            .sources
            .reading
            .terms
            .iter()
            .find(|term| term.word == at);
        term.is_some_and(|term| {
            term.keys
                .iter()
                .any(|(key, _)| documents.contains(&key.as_str()))
        })
    }
}
