//! Texts that are introduced: by the words that stood before them in an example, or by the
//! name of their parameter ("position Sales Lead", "headline: …").

use std::ops::Range;

use serde_json::Value;

use super::super::cues::Cue;
use super::super::language::Language;
use super::super::lexicon::LEXICON;
use super::super::param::{Choice, Kind, Param};
use super::super::values::choices::is_negated;
use super::super::words::{Word, keys, normal};
use super::Filling;

/// Small words inside a title ("Head of Sales").
const INSIDE: [&str; 8] = ["of", "and", "for", "och", "og", "und", "för", "&"];

/// What stands before something that is had or lacked.
const HAVING: [&str; 17] = [
    "lack",
    "without",
    "with",
    "с",
    "со",
    "без",
    "нет",
    "знанием",
    "знания",
    "med",
    "utan",
    "uden",
    "uten",
    "mit",
    "ohne",
    "no",
    "in",
];

impl<'a> Filling<'a> {
    pub(super) fn take_led_texts(&mut self) {
        let mut open = self.open(|kind| matches!(kind, Kind::Text));
        // "new intro for the ad: …": of several that may be meant, the one whose examples say it so.
        if open.len() > 1 && open.iter().all(|p| !p.required) {
            open.sort_by_key(|param| std::cmp::Reverse(self.likeness(param)));
        }
        for param in open {
            let twin = param.twin_in(&self.tool.params);
            // "they book in Jobylon": what is one of another parameter's choices is nobody's town.
            let free = |found: &(Range<usize>, String)| !self.is_choice_of_another(&found.1);
            let Some((words, value)) = self.led(param, twin).filter(free) else {
                continue;
            };
            let meant = match twin {
                Some(twin) if self.is_lacked(&words) != param.is_negative() => twin,
                Some(_) | None => param,
            };
            if meant.fits(&value) && !self.has(meant) {
                self.take_words(&words);
                let value = self.known_target(meant, value);
                self.set(meant, Value::String(value));
            }
        }
    }

    /// "also ask about travel and shift work": subjects for the one list of texts that there is.
    pub(super) fn take_subjects(&mut self) {
        const ASK: [&str; 20] = [
            "ask",
            "asks",
            "asking",
            "question",
            "questions",
            "fråga",
            "frågor",
            "spørg",
            "spørgsmål",
            "spør",
            "spørsmål",
            "spørre",
            "frag",
            "frage",
            "fragen",
            "cover",
            "covering",
            "täck",
            "dæk",
            "dekk",
        ];
        const ABOUT: [&str; 8] = ["about", "on", "om", "nach", "zu", "also", "också", "også"];
        const LONGEST: usize = 5;
        let lists =
            self.open(|kind| matches!(kind, Kind::List(items) if matches!(**items, Kind::Text)));
        let [param] = lists.as_slice() else {
            return;
        };
        let text = &self.sources.reading.text;
        let asks = |at: &usize| {
            text.is_one_of(*at, &ASK) && text.is_one_of(at + 1, &ABOUT) && !self.is_taken(at + 2)
        };
        let Some(start) = (0..text.words.len()).find(asks).map(|at| at + 2) else {
            return;
        };
        let end = (start + 1..text.words.len()).find(|at| text.starts_sentence(*at));
        let end = end.unwrap_or(text.words.len());
        let mut subjects: Vec<Range<usize>> = Vec::new();
        let mut begin = start;
        for at in start..=end {
            let parted =
                at == end || at > start && (text.starts_clause(at) || Cue::Join.at(text, at) > 0);
            if parted && begin < at {
                subjects.push(begin..at);
                begin = at + usize::from(at < end && Cue::Join.at(text, at) > 0);
            }
        }
        let plain = |words: &Range<usize>| {
            words.len() <= LONGEST && words.clone().all(|at| !self.is_taken(at))
        };
        if subjects.is_empty() || !subjects.iter().all(plain) || !self.tool.drafts {
            return;
        }
        let bytes =
            |words: &Range<usize>| text.words[words.start].start..text.words[words.end - 1].end;
        let values = subjects
            .iter()
            .map(|words| Value::from(&text.raw[bytes(words)]));
        let values = Value::Array(values.collect());
        self.take_words(&(start - 2..end));
        self.set(param, values);
    }

    fn is_choice_of_another(&self, value: &str) -> bool {
        let own = |choice: &Choice| {
            let own = choice.value.as_str();
            own.is_some_and(|own| normal(own) == normal(value))
        };
        let mut kinds = self.tool.params.iter().map(|param| &param.kind);
        kinds.any(|kind| matches!(kind, Kind::Enum(choices) if choices.iter().any(own)))
    }

    /// Whether what stands here is said to be missing.
    fn is_lacked(&self, words: &Range<usize>) -> bool {
        const REACH: usize = 5;
        let reading = self.sources.reading;
        let lack = LEXICON.named("lack");
        let near = words.start.saturating_sub(REACH)..words.start;
        is_negated(reading, words.start)
            || near
                .into_iter()
                .any(|at| lack.is_some_and(|lack| reading.meanings[at].concepts.contains(&lack)))
    }

    fn led(&self, param: &Param, twin: Option<&Param>) -> Option<(Range<usize>, String)> {
        let text = &self.sources.reading.text;
        let mut leads = self.leads(param);
        if let Some(twin) = twin {
            leads.extend(self.leads(twin));
            let having = HAVING.iter().map(|word| vec![(*word).to_owned()]);
            leads.extend(having);
        }
        leads.extend(param.called.iter().map(|w| vec![w.clone()]));
        // "change the headline to …": where nothing else is needed, it goes on to the end.
        let slots = self.tool.lessons.iter().flat_map(|lesson| &lesson.slots);
        let mut own = slots.filter(|slot| slot.param == param.name).peekable();
        let mut others = self.tool.params.iter();
        let alone = others.all(|other| !other.required && matches!(other.kind, Kind::Text));
        let whole = alone && own.peek().is_some() && own.all(|slot| slot.last);
        leads.sort_by_key(|lead| std::cmp::Reverse(lead.len()));
        leads.into_iter().find_map(|lead| {
            let ends =
                (0..text.words.len()).filter(|at| self.stands_at(*at, &lead, param.is_title));
            // "can do SQL": behind all of the phrase.
            let behind = |at: usize| {
                let rest = &self.sources.reading.meanings[at..];
                at + rest.iter().take_while(|meaning| meaning.continues).count()
            };
            ends.map(|at| behind(at + lead.len()))
                .find_map(|at| self.value_at(at, whole))
        })
    }

    /// Whether this introduction stands here, in these words or others of the same meaning.
    /// Small words alone stand before anything.
    fn stands_at(&self, at: usize, lead: &[String], title: bool) -> bool {
        const LEAST: usize = 2;
        let reading = self.sources.reading;
        let Some(here) = reading.text.words.get(at..at + lead.len()) else {
            return false;
        };
        let same = |(place, wanted): (usize, &String)| {
            let means = &reading.meanings[at + place].concepts;
            let wanted_means = || LEXICON.of_keys(&keys(wanted));
            here[place].lower == *wanted
                || wanted_means()
                    .iter()
                    .any(|c| means.contains(c) && !LEXICON.is_action(*c))
        };
        let tells = |word: &Word| !word.function && word.lower.chars().count() >= LEAST;
        let phrase = (at..at + lead.len()).any(|at| reading.meanings[at].phrase);
        // "für einen Kundenberater": two small words before a title tell it as well.
        let titled = title && lead.len() > 1;
        let had = lead.len() == 1 && HAVING.contains(&lead[0].as_str());
        lead.iter().enumerate().all(same) && (phrase || titled || had || here.iter().any(tells))
    }

    /// All that follows a colon, or a run of words with capitals.
    fn value_at(&self, start: usize, whole: bool) -> Option<(Range<usize>, String)> {
        let text = &self.sources.reading.text;
        let first = text.words.get(start).filter(|_| !self.is_taken(start))?;
        let gap = text.gap_before(start);
        let is_free = |at: &usize| !self.is_taken(*at);
        let end = if gap.trim_end().trim_end_matches(['"', '“', '„', '«']).trim() == ":" {
            let rest = text.raw.get(first.start..)?;
            // With more to say, what follows a comma may be another value.
            let required = self.tool.params.iter().filter(|p| p.required).count();
            if required > 1 && rest.contains(',') {
                return None;
            }
            (start..text.words.len()).take_while(is_free).last()? + 1
        } else if gap == " " && text.is_capitalised(start) && whole {
            let goes_on = |at: &usize| *at == start || !text.starts_sentence(*at);
            let words = (start..text.words.len()).take_while(is_free);
            words.take_while(goes_on).last()? + 1
        } else if gap == " " && (text.is_capitalised(start) || self.is_foreign(start)) {
            self.end_of_run(start)
        } else {
            return None;
        };
        let last = text.words.get(end.checked_sub(1)?)?;
        let value = text.raw.get(first.start..last.end)?.trim().to_owned();
        Some((start..end, value))
    }

    /// "кто знает figma": a word in other letters than the sentence is a name for something.
    fn is_foreign(&self, at: usize) -> bool {
        let text = &self.sources.reading.text;
        let latin = text.words[at]
            .lower
            .starts_with(|c: char| c.is_ascii_alphabetic());
        latin && text.language == Some(Language::Russian)
    }

    fn end_of_run(&self, start: usize) -> usize {
        let text = &self.sources.reading.text;
        let goes_on = |at: usize| text.gap_before(at) == " " && !self.is_taken(at);
        let capital = |at: usize| at < text.words.len() && text.is_capitalised(at) && goes_on(at);
        let mut end = start + 1;
        loop {
            let inside = text.words.get(end).is_some_and(|word| {
                INSIDE.contains(&word.lower.as_str()) && goes_on(end) && capital(end + 1)
            });
            if capital(end) {
                end += 1;
            } else if inside {
                end += 2;
            } else {
                return end;
            }
        }
    }
}
