//! Free text: what is left of a request when everything else in it is understood.

use std::ops::Range;

use super::super::cues::Cue;
use super::super::lexicon::LEXICON;
use super::super::reading::{ONE, Reading};

/// What is known of the words around a free text.
pub(crate) struct Frame<'a> {
    pub(crate) reading: &'a Reading,
    /// Words that belong to the request itself (what to do, with what kind of thing).
    pub(crate) own: &'a dyn Fn(usize) -> bool,
    /// Words that are part of another value.
    pub(crate) taken: &'a dyn Fn(usize) -> bool,
    /// Words that stood before this value in examples.
    pub(crate) leads: &'a [Vec<String>],
    /// Nothing but this text is needed.
    pub(crate) alone: bool,
}

impl Frame<'_> {
    /// The text that is most likely meant, with the words it covers.
    pub(crate) fn find(&self) -> Option<(Range<usize>, String)> {
        let text = &self.reading.text;
        let start = self.after_request();
        if let Some(quoted) = self.after_colon(start) {
            return Some(quoted);
        }
        let best = self
            .segments(start)
            .into_iter()
            .filter_map(|segment| Some((self.rank(&segment)?, segment)))
            .max_by(|a, b| a.0.cmp(&b.0).then(b.1.start.cmp(&a.1.start)))?;
        let words = best.1;
        let span = text.words[words.start].start..text.words[words.end - 1].end;
        Some((words, text.raw[span].trim().to_owned()))
    }

    /// What follows a colon to the end, word for word, if nothing in it is taken.
    fn after_colon(&self, start: usize) -> Option<(Range<usize>, String)> {
        let text = &self.reading.text;
        let first = (1..text.words.len()).find(|at| text.gap_before(*at).contains(": "))?;
        let words = first..text.words.len();
        let is_free = words.clone().all(|at| !self.is_cut(at));
        let says = words.clone().any(|at| !text.words[at].function);
        // "please note as a fact: …": what is said of the thing before the colon only leads to it.
        let leads = start < first && (0..first).any(|at| (self.own)(at)) && self.alone;
        if first > start && !leads || !is_free || !says {
            return None;
        }
        let value = text.raw[text.words[first].start..]
            .trim()
            .trim_end_matches(['.', ' '])
            .to_owned();
        Some((words, value))
    }

    /// The first word that is neither politeness, nor the request, nor a value.
    fn after_request(&self) -> usize {
        let text = &self.reading.text;
        let mut at = 0;
        while at < text.words.len() {
            let polite = Cue::skip(&[Cue::Greeting, Cue::Polite], text, at);
            if polite > at {
                at = polite;
                continue;
            }
            let word = &text.words[at];
            let continues = self.reading.meanings[at].continues;
            let next = at + 1;
            let of_request = next < text.words.len() && ((self.own)(next) || (self.taken)(next));
            if Cue::Possessive.at(text, at) > 0 && !of_request {
                break;
            }
            if word.function || continues || (self.own)(at) || (self.taken)(at) {
                at += 1;
            } else {
                break;
            }
        }
        at
    }

    /// Stretches of words that nothing else has taken, from here to the end, without
    /// the small words at their edges.
    fn segments(&self, from: usize) -> Vec<Range<usize>> {
        let text = &self.reading.text;
        let mut segments = Vec::new();
        let mut start = from;
        for at in from..=text.words.len() {
            let cut = at == text.words.len()
                || self.is_cut(at)
                || (at > start
                    && text
                        .gap_before(at)
                        .contains([',', ';', '.', '\n', ':', '/', '—', '–', '(', ')', '!', '?']));
            if !cut {
                continue;
            }
            segments.push(self.trimmed(start..at));
            start = if at < text.words.len() && self.is_cut(at) {
                at + 1
            } else {
                at
            };
        }
        segments.retain(|segment| !segment.is_empty());
        segments
    }

    /// Whether a word is another value, or the order itself.
    fn is_cut(&self, at: usize) -> bool {
        let head = self.reading.head.as_ref().and_then(|head| head.word);
        (self.taken)(at) || head == Some(at)
    }

    fn trimmed(&self, mut words: Range<usize>) -> Range<usize> {
        let text = &self.reading.text;
        loop {
            let leads = [Cue::Join, Cue::Purpose, Cue::Polite, Cue::Obliged];
            let mut skipped = Cue::skip(&leads, text, words.start);
            // "let Bob out for …": the particle belongs to the order.
            let particle = Cue::Particle.at(text, words.start);
            if particle > 0 && Cue::Purpose.at(text, words.start + particle) > 0 {
                skipped = words.start + particle;
            }
            let step = skipped.min(words.end);
            if step > words.start {
                words.start = step;
            } else if words.start < words.end
                && text.words[words.start].function
                && Cue::Possessive.at(text, words.start) == 0
            {
                words.start += 1;
            } else {
                break;
            }
        }
        while words.start < words.end {
            let last = words.end - 1;
            let word = &text.words[last];
            let edges = [Cue::Polite, Cue::AtMost, Cue::AtLeast];
            if word.function || edges.iter().any(|cue| cue.at(text, last) > 0) {
                words.end -= 1;
            } else {
                break;
            }
        }
        words
    }

    /// "create a permit …": what stands behind the order and an article is what is to be
    /// made, whatever it is called.
    fn is_thing(&self, segment: &Range<usize>) -> bool {
        let text = &self.reading.text;
        let order = self.reading.head.as_ref().and_then(|head| head.word);
        let Some(article) = segment.start.checked_sub(1).filter(|_| segment.len() == 1) else {
            return false;
        };
        let is_article = ONE.contains(&text.words[article].lower.as_str());
        let follows = |order: usize| (order + 1..article).all(|at| text.words[at].function);
        is_article && order.is_some_and(|order| order < article && follows(order))
    }

    /// Learned leads first, then a purpose, then the one that says most.
    fn rank(&self, segment: &Range<usize>) -> Option<(bool, bool, bool, usize)> {
        let text = &self.reading.text;
        let content = segment
            .clone()
            .filter(|at| !text.words[*at].function && !(self.own)(*at))
            .filter(|at| Cue::Everything.at(text, *at) == 0)
            .count();
        let spans = ["#minute", "#hour", "#day", "#week", "#month"];
        let lasts = |at: usize| {
            let mut means = self.reading.meanings[at].concepts.iter();
            means.any(|concept| spans.contains(&LEXICON.key(*concept).as_str()))
        };
        // "back in an hour" says when, not what for.
        let only_time = segment
            .clone()
            .all(|at| text.words[at].function || lasts(at));
        let written = |at: usize| text.words[at].lower.contains(char::is_alphabetic);
        if content == 0 || only_time || !segment.clone().any(written) {
            return None;
        }
        let led = self.leads.iter().any(|lead| {
            let last = lead.last();
            last.is_some()
                && (0..segment.start).any(|at| {
                    Some(&text.words[at].lower) == last
                        && (at + 1..segment.start).all(|w| text.words[w].function)
                })
        });
        let purpose = (segment.start.saturating_sub(3)..segment.start).any(|at| {
            let after = at + Cue::Purpose.at(text, at);
            let small = |w: usize| text.words[w].function || (self.taken)(w);
            after > at && (after..segment.start).all(small)
        });
        Some((led, purpose, !self.is_thing(segment), content))
    }
}
