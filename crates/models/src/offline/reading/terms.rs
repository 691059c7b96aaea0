//! The words of a request that carry meaning: as they stand, by the parts they are put together
//! from, or as they were meant where a finger slipped.

use super::super::index::{Index, keys_of};
use super::super::language::Language;
use super::super::lexicon::LEXICON;
use super::super::near::Vocabulary;
use super::super::words::Text;
use super::{Reading, Term};

/// So many slips are put right; a text with more is not in a language known here.
const MOST_SLIPS: usize = 12;

impl Reading {
    pub(super) fn find_terms(&mut self, index: &Index) {
        let mut slips = 0;
        for at in 0..self.text.words.len() {
            if self.is_value(at) {
                continue;
            }
            let word = &self.text.words[at];
            let keys = keys_of(word, &self.meanings[at]);
            // "en" and "de" are articles before they are languages.
            if keys.is_empty() || ["en", "de", "no", "da"].contains(&word.lower.as_str()) {
                continue;
            }
            let known = keys.iter().any(|(key, _)| !index.tools_by(key).is_empty())
                || !self.meanings[at].concepts.is_empty();
            let name = self.text.is_capitalised(at) && !self.text.starts_sentence(at);
            let as_written = Term {
                word: at,
                keys,
                quality: 1.0,
                lower: word.lower.clone(),
            };
            if known || slips >= MOST_SLIPS {
                self.terms.push(as_written);
                continue;
            }
            if name {
                // In German every noun has a capital.
                let noun = self.text.language == Some(Language::German);
                let parts = noun.then(|| self.compound(index, at)).flatten();
                self.terms.push(parts.unwrap_or(as_written));
                continue;
            }
            slips += 1;
            let term = self
                .compound(index, at)
                .or_else(|| self.shortened(index, at))
                .or_else(|| self.guessed(index, at));
            self.terms.push(term.unwrap_or(as_written));
        }
    }

    /// "kalenderinbjudan", "Interviewfragen": a word that is put together says what its parts
    /// say, the last of them above all.
    fn compound(&mut self, index: &Index, at: usize) -> Option<Term> {
        const LEAST_PART: usize = 4;
        const QUALITY: f32 = 0.9;
        let language = self.text.language;
        let joins = matches!(
            language,
            Some(Language::Swedish | Language::Danish | Language::Norwegian | Language::German)
        );
        let lower = self.text.words[at].lower.clone();
        let meant = |part: &str| {
            let text = Text::in_language(part, language);
            let meaning = LEXICON.read(&text).pop()?;
            let keys = keys_of(text.words.first()?, &meaning);
            let known = keys.iter().any(|(key, _)| !index.tools_by(key).is_empty());
            (known && !text.words.first()?.function).then_some((keys, meaning))
        };
        let cuts = lower.char_indices().map(|(cut, _)| cut).skip(3);
        let long = |cut: &usize| lower[*cut..].chars().count() >= LEAST_PART;
        let (cut, (mut keys, mut meaning)) = cuts
            .take_while(long)
            .find_map(|cut| Some((cut, meant(&lower[cut..])?)))?;
        let first = lower[..cut].trim_end_matches('-');
        let first = meant(first).or_else(|| meant(first.strip_suffix(['s', 'e'])?));
        // "gatepass": elsewhere both parts must be known.
        if !joins && first.is_none() {
            return None;
        }
        keys.extend(first.into_iter().flat_map(|(keys, _)| keys));
        meaning.commands.clear();
        self.meanings[at] = meaning;
        Some(Term {
            word: at,
            keys,
            quality: QUALITY,
            lower,
        })
    }

    /// "req profile", "temp for the HM": the beginning of one word that tools are named by. What was
    /// cut short orders nothing.
    fn shortened(&mut self, index: &Index, at: usize) -> Option<Term> {
        const SHORTEST: usize = 3;
        const QUALITY: f32 = 0.85;
        let lower = self.text.words[at].lower.clone();
        if lower.chars().count() < SHORTEST || Vocabulary::is_everyday(&lower) {
            return None;
        }
        let word = index.named_by(&lower)?;
        let meant = Text::new(word);
        let mut meaning = LEXICON.read(&meant).pop()?;
        let keys = keys_of(meant.words.first()?, &meaning);
        meaning.commands.clear();
        self.meanings[at] = meaning;
        Some(Term {
            word: at,
            keys,
            quality: QUALITY,
            lower: word.to_owned(),
        })
    }

    /// What a word was meant to be, if it is near one that is known.
    fn guessed(&mut self, index: &Index, at: usize) -> Option<Term> {
        let lower = self.text.words[at].lower.clone();
        let own = index.vocabulary.nearest(&lower);
        let common = LEXICON.vocabulary.nearest(&lower);
        let near = match (own, common) {
            (Some(own), Some(common)) if common.quality > own.quality => common,
            (Some(own), _) => own,
            (None, Some(common)) => common,
            (None, None) => return None,
        };
        let meant = Text::new(near.word);
        let meaning = LEXICON.read(&meant).pop()?;
        let keys = keys_of(meant.words.first()?, &meaning);
        let lower = near.word.to_owned();
        let quality = near.quality;
        self.meanings[at] = meaning;
        self.text.words[at]
            .keys
            .extend(meant.words.first()?.keys.clone());
        Some(Term {
            word: at,
            keys,
            quality,
            lower,
        })
    }
}
