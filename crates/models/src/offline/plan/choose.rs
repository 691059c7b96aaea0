//! From scores to a choice: sure enough to act, or unsure enough to ask.

use super::super::cues::Cue;
use super::super::fill::{Sources, fill};
use super::super::lexicon::LEXICON;
use super::super::mood;
use super::super::param::{Kind, Param};
use super::super::rank::{Scored, rank};
use super::super::reading::{ONE, Reading};
use super::Mind;
use super::ordered::SAME_AS_EXAMPLE;

/// What a request is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Choice {
    /// `commanded`: the words order it, rather than speak of it.
    Tool {
        tool: usize,
        commanded: bool,
    },
    /// One of these; the person must say which.
    Unclear(Vec<usize>),
    Nothing,
}

/// Below this a tool does not fit at all.
const LEAST_SCORE: f32 = 0.30;
/// From here on it is worth asking whether it was meant.
const PERHAPS: f32 = 0.15;
/// From here on a question may simply be put to the one tool that comes near.
const WORTH_A_LOOK: f32 = 0.2;
/// So much must come from words that are about something.
const LEAST_EVIDENCE: f32 = 0.05;
/// Of two tools that fit about as well, the one whose arguments are all there: what each
/// of them counts.
const COMPLETE: f32 = 0.05;
const NEEDS_NOTHING: f32 = 0.02;
/// What is not ordered is more likely to be looked at than done.
const NOT_ORDERED: f32 = -0.08;
const MOST_COMPLETE: f32 = 0.2;
/// A question about a write is not an order to write.
const ASKED_ABOUT: f32 = -0.6;
pub(super) const MOST_CHOICES: usize = 3;
/// So far ahead by words, a tool is meant whatever lies near.
const WORDS_DECIDE: f32 = 0.25;
/// So many words that mean something are no small talk.
const TROUBLE: usize = 3;

/// Whether the best tool fits well enough to be spoken of.
pub(in super::super) fn is_clear(best: &Scored) -> bool {
    let said = best.evidence >= LEAST_EVIDENCE || best.likeness >= SAME_AS_EXAMPLE;
    said && best.score >= LEAST_SCORE
}

impl Mind<'_> {
    /// By words where these decide, else by meaning.
    pub(super) fn choose(&self, sources: &Sources<'_>) -> Choice {
        if let Some(tool) = self.declared(sources.reading, sources.said) {
            return Choice::Tool {
                tool,
                commanded: true,
            };
        }
        let idle = self.asks_in_general(sources) || self.only_tells(sources);
        if idle && !self.surely_looks(sources.reading) {
            return Choice::Nothing;
        }
        let choice = self.by_words(sources);
        let meant = self.is_likely_request(sources.reading);
        if !meant && self.is_talk(sources, &choice) {
            return Choice::Nothing;
        }
        let choice = match choice {
            Choice::Tool { .. } => choice,
            Choice::Unclear(_) | Choice::Nothing => {
                self.by_meaning(sources, &choice).unwrap_or(choice)
            }
        };
        self.as_learned(sources, choice)
    }

    /// "I read the chapter", "you are doing a great job": who says something of somebody, and names
    /// nothing that could be looked at, asks for nothing. A trouble is told to have it looked up.
    fn only_tells(&self, sources: &Sources<'_>) -> bool {
        const WISHES: [&str; 8] = [
            "find",
            "need",
            "count",
            "compare",
            "explain",
            "recommend",
            "calculate",
            "filter",
        ];
        let reading = sources.reading;
        let text = &reading.text;
        let given = !reading.codes.is_empty()
            || !reading.numbers.is_empty()
            || !sources.said.files.is_empty()
            || sources.said.has_text()
            || reading.names > 0 && !self.index.looks_up();
        let wishes = reading.head.as_ref().is_some_and(|head| {
            let mut actions = head.actions.iter();
            let wish = actions.any(|action| WISHES.contains(&LEXICON.name(*action)));
            let doing = self.index.tools.iter().filter(|tool| tool.writes);
            let mut doing =
                doing.filter(|tool| head.actions.iter().any(|a| tool.actions.contains(a)));
            wish || doing.next().is_some()
        });
        let asks = reading.asks_indirectly()
            || reading.asked_later().is_some()
            || Cue::Please.is_in(text)
            || self.index.looks_up() && Cue::Trouble.is_in(text);
        mood::speaks_of_somebody(reading) && !given && !wishes && !asks
    }

    /// Whether a message that orders nothing and has no value in it lies nearer to talk than to any
    /// tool.
    fn is_talk(&self, sources: &Sources<'_>, choice: &Choice) -> bool {
        let reading = sources.reading;
        let given = !reading.codes.is_empty()
            || !reading.numbers.is_empty()
            || !reading.quotes.is_empty()
            || !sources.said.files.is_empty()
            || sources.said.has_text();
        let commanded = match choice {
            Choice::Tool { commanded, .. } => *commanded,
            Choice::Unclear(_) => false,
            Choice::Nothing => return false,
        };
        let nearer = || {
            let near = self.nearness(reading);
            near.is_some_and(|near| near.is_talk_by() >= self.settings.talk_margin)
        };
        !given && !commanded && !self.index.looks_up() && nearer()
    }

    /// "What happens when I reject one?", "If I take it off, can I …?", "does a pass expire?": how things
    /// are in general is told by documents, and no tool here looks into any.
    fn asks_in_general(&self, sources: &Sources<'_>) -> bool {
        const WHETHER: [&str; 13] = [
            "does", "do", "is", "are", "can", "will", "would", "kan", "är", "er", "ist", "kann",
            "gilt",
        ];
        const ABLE: [&str; 7] = ["does", "do", "can", "could", "will", "would", "must"];
        const HOW: [&str; 10] = [
            "how",
            "why",
            "when",
            "wie",
            "warum",
            "hur",
            "hvordan",
            "hvorfor",
            "как",
            "почему",
        ];
        let reading = sources.reading;
        if !reading.question || self.index.looks_up() || sources.said.has_text() {
            return false;
        }
        let text = &reading.text;
        let begins = reading.opening();
        let supposes = Cue::Condition.at(text, begins) > 0 && Cue::Question.at(text, begins) == 0;
        let any_one = text.is_one_of(begins, &WHETHER) && text.is_one_of(begins + 1, &ONE[..7]);
        // "do robots need a network?": things in general, unlike "does anyone …", "do we …".
        let next = begins + 1;
        let thing = |at: usize| {
            let mut terms = reading.terms.iter();
            let term = terms.find(|term| term.word == at);
            let named = text.words.get(at).is_some() && text.is_capitalised(at);
            term.is_some() && !named && !reading.is_value(at) && Cue::Everything.at(text, at) == 0
        };
        let things = text.is_one_of(begins, &ABLE) && thing(next);
        let one = (next..text.words.len()).find(|at| text.is_one_of(*at, &ONE[..7]));
        let how = text.is_one_of(begins, &HOW) && one.is_some_and(|at| thing(at + 1));
        let unnamed = reading.names == 0 && reading.codes.is_empty();
        let advice = unnamed && Cue::Advice.at(text, begins) > 0;
        let general = any_one || things || how && unnamed;
        let rules = Cue::Generic.at(text, begins) > 0 && reading.codes.is_empty();
        rules || advice || supposes || general
    }

    /// What the request means, where its words left that open. What it does to write, it
    /// never orders: the person is asked first.
    fn by_meaning(&self, sources: &Sources<'_>, by_words: &Choice) -> Option<Choice> {
        let question = sources.reading.question;
        let near = self.nearness(sources.reading)?;
        let mut ranked: Vec<(usize, f32)> = near
            .tools
            .into_iter()
            .enumerate()
            .filter(|(tool, _)| !question || !self.tool(*tool).writes)
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let (best, nearest) = *ranked.first()?;
        let close: Vec<usize> = ranked
            .iter()
            .take_while(|(_, near)| nearest - near < self.settings.close_meaning)
            .map(|(tool, _)| *tool)
            .take(MOST_CHOICES)
            .collect();
        let alone = close.len() == 1;
        if nearest >= self.settings.same_meaning && alone {
            return Some(Choice::Tool {
                tool: best,
                commanded: false,
            });
        }
        match by_words {
            Choice::Nothing if nearest >= self.settings.like_meaning => {
                Some(Choice::Unclear(close))
            }
            Choice::Nothing | Choice::Unclear(_) | Choice::Tool { .. } => None,
        }
    }

    fn by_words(&self, sources: &Sources<'_>) -> Choice {
        let reading = sources.reading;
        if self.orders_what_nobody_does(sources) {
            return Choice::Nothing;
        }
        let mut ranked = rank(self.index, reading, sources.said);
        if reading.question {
            for scored in &mut ranked {
                if self.tool(scored.tool).writes && !self.is_judged(scored.tool, sources) {
                    scored.score += ASKED_ABOUT;
                }
            }
        }
        for scored in ranked.iter_mut().take(MOST_CHOICES) {
            scored.score += self.completeness(scored.tool, sources);
            if self.tool(scored.tool).writes && !self.is_commanded(scored, sources) {
                scored.score += NOT_ORDERED;
            }
        }
        self.weigh_meaning(&mut ranked, reading);
        self.weigh_likely(&mut ranked, reading);
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tool.cmp(&b.tool)));
        let given =
            !reading.codes.is_empty() || !sources.said.files.is_empty() || sources.said.has_text();
        let all = ranked.clone();
        ranked.retain(|scored| {
            is_clear(scored) || (given && reading.terms.is_empty() && scored.score > 0.0)
        });
        let judged = |scored: &Scored| self.is_judged(scored.tool, sources);
        if reading.question
            && !ranked.first().is_some_and(judged)
            && ranked.iter().any(|scored| !self.tool(scored.tool).writes)
        {
            ranked.retain(|scored| !self.tool(scored.tool).writes);
        }
        let Some(best) = ranked.first().cloned() else {
            return self
                .look_at_it(sources)
                .or_else(|| self.look_it_up(sources))
                .unwrap_or_else(|| self.perhaps(&all, sources));
        };
        let margin = ranked
            .get(1)
            .map_or(f32::MAX, |second| best.score - second.score);
        let def = self.tool(best.tool);
        let needed = match (def.writes, def.drafts) {
            (false, _) => self.settings.read_margin,
            (true, true) => self.settings.draft_margin,
            // What lacks a value is asked about in any case.
            (true, false) if !self.is_complete(best.tool, sources) => self.settings.draft_margin,
            (true, false) => self.settings.write_margin,
        };
        if margin < needed {
            let near = ranked
                .iter()
                .take_while(|other| best.score - other.score < needed);
            let near = near.filter(|other| {
                !reading.question || !self.tool(other.tool).writes || judged(other)
            });
            let near: Vec<usize> = near.take(MOST_CHOICES).map(|other| other.tool).collect();
            // "How does this ad read?": of those that judge a text, the one that is called by its name.
            let called: Vec<&usize> = near
                .iter()
                .filter(|tool| self.is_called(**tool, reading))
                .collect();
            let judges = near.iter().all(|tool| self.is_judged(*tool, sources));
            if let ([only], true) = (called.as_slice(), judges && near.len() > 1) {
                return Choice::Tool {
                    tool: **only,
                    commanded: true,
                };
            }
            return self.look_or_ask(near, sources);
        }
        let commanded = self.is_commanded(&best, sources);
        Choice::Tool {
            tool: best.tool,
            commanded,
        }
    }

    /// To look costs nothing: what looks is not asked about, least of all where nothing lacks.
    fn look_or_ask(&self, near: Vec<usize>, sources: &Sources<'_>) -> Choice {
        let looks = |tool: &usize| !self.tool(*tool).writes;
        let complete = |tool: &&usize| self.is_complete(**tool, sources);
        let look = near.iter().find(complete).or(near.first()).copied();
        match look.filter(|_| near.iter().all(looks)) {
            Some(tool) => Choice::Tool {
                tool,
                commanded: false,
            },
            None => Choice::Unclear(near),
        }
    }

    /// How many figures of a request go to a tool's parameters that are called by their names.
    pub(super) fn figures_named(&self, tool: usize, sources: &Sources<'_>) -> usize {
        let def = self.tool(tool);
        let filled = fill(def, *sources);
        let number = |param: &&Param| matches!(param.kind, Kind::Number(_));
        let named = |param: &&Param| {
            let mut words = sources.reading.text.words.iter();
            filled.values.contains_key(&param.name)
                && words.any(|word| !word.function && param.is_called_by(word))
        };
        def.params.iter().filter(number).filter(named).count()
    }

    /// "set utilization to 80 %": a figure that the tool has no place for, and one that looks has by its name.
    pub(super) fn with_place_for_figures(&self, choice: Choice, sources: &Sources<'_>) -> Choice {
        let Choice::Tool { tool, .. } = choice else {
            return choice;
        };
        let takes = |tool: usize| {
            let mut params = self.tool(tool).params.iter();
            params.any(|param| matches!(param.kind, Kind::Number(_)))
        };
        if sources.reading.numbers.is_empty() || takes(tool) || self.is_complete(tool, sources) {
            return choice;
        }
        let others = (0..self.index.tools.len()).filter(|other| !self.tool(*other).writes);
        let mut others = others.filter(|other| self.figures_named(*other, sources) > 0);
        match (others.next(), others.next()) {
            (Some(tool), None) => Choice::Tool {
                tool,
                commanded: true,
            },
            _ => choice,
        }
    }

    /// Of two tools that share words with the request, the one that means the same.
    fn weigh_meaning(&self, ranked: &mut [Scored], reading: &Reading) {
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tool.cmp(&b.tool)));
        let ahead = match ranked {
            [first, second, ..] => first.score - second.score,
            [_] | [] => f32::MAX,
        };
        let decided = |best: &Scored| {
            let same = best.likeness >= SAME_AS_EXAMPLE && ahead >= self.settings.read_margin;
            is_clear(best) && (same || ahead >= WORDS_DECIDE)
        };
        if ranked.first().is_some_and(decided) {
            return;
        }
        let Some(near) = self.nearness(reading) else {
            return;
        };
        let most = near.most();
        for scored in ranked {
            let far = near.tools.get(scored.tool).map_or(0.0, |near| most - near);
            scored.score -= self.settings.meaning_weight * far;
        }
    }

    /// What may be meant where nothing is clear. To look costs nothing: a question that only one
    /// tool comes near to is put to it.
    fn perhaps(&self, ranked: &[Scored], sources: &Sources<'_>) -> Choice {
        let reading = sources.reading;
        let likely: Vec<&Scored> = ranked
            .iter()
            .filter(|scored| scored.evidence >= LEAST_EVIDENCE && scored.score >= PERHAPS)
            .filter(|scored| !reading.question || !self.tool(scored.tool).writes)
            .take(MOST_CHOICES)
            .collect();
        match likely.as_slice() {
            [] => Choice::Nothing,
            [only]
                if reading.question
                    && !self.tool(only.tool).writes
                    && only.score >= WORTH_A_LOOK
                    && self.is_complete(only.tool, sources) =>
            {
                Choice::Tool {
                    tool: only.tool,
                    commanded: false,
                }
            }
            _ => Choice::Unclear(likely.iter().map(|scored| scored.tool).collect()),
        }
    }

    /// What it counts that everything a tool must have was said: the more, the less is
    /// that a coincidence.
    fn completeness(&self, tool: usize, sources: &Sources<'_>) -> f32 {
        if !self.is_complete(tool, sources) {
            return 0.0;
        }
        let required = self
            .tool(tool)
            .params
            .iter()
            .filter(|param| param.required)
            .count();
        let says_nothing = required == 0
            && !self.tool(tool).params.is_empty()
            && fill(self.tool(tool), *sources).values.is_empty();
        if says_nothing {
            return 0.0;
        }
        (NEEDS_NOTHING + COMPLETE * required as f32).min(MOST_COMPLETE)
    }

    pub(super) fn is_complete(&self, tool: usize, sources: &Sources<'_>) -> bool {
        let filled = fill(self.tool(tool), *sources);
        filled.missing(self.tool(tool)).is_empty() && filled.recalled.is_empty()
    }

    /// Whether the thing in its title is named.
    pub(super) fn is_called(&self, tool: usize, reading: &Reading) -> bool {
        let things = self.tool(tool).title_terms.iter().skip(1);
        let said = |key: &String| {
            let mut keys = reading.terms.iter().flat_map(|term| &term.keys);
            keys.any(|(own, _)| own == key)
        };
        things.flatten().any(said)
    }

    /// "Is GP-7 back yet?": a question about one thing that no tool is about is answered by
    /// looking at the thing.
    fn look_at_it(&self, sources: &Sources<'_>) -> Option<Choice> {
        let reading = sources.reading;
        if !reading.question || reading.codes.is_empty() {
            return None;
        }
        let looks = |tool: &usize| {
            let def = self.tool(*tool);
            def.tells_all() && self.is_complete(*tool, sources)
        };
        let mut looks = (0..self.index.tools.len()).filter(looks);
        let tool = looks.next()?;
        let only = looks.next().is_none();
        only.then_some(Choice::Tool {
            tool,
            commanded: false,
        })
    }

    /// A question that no tool is about goes to the one that answers questions.
    fn look_it_up(&self, sources: &Sources<'_>) -> Option<Choice> {
        let reading = sources.reading;
        let mut lookups =
            (0..self.index.tools.len()).filter(|t| self.tool(*t).question_param().is_some());
        let asks = reading.head.as_ref().is_some_and(|head| {
            head.actions
                .iter()
                .any(|a| ["find", "show", "explain"].contains(&LEXICON.name(*a)))
        }) || reading.question
            || reading.asks_indirectly();
        // Where nothing but looking up is done, a trouble that is told is looked up, too.
        let asks = asks || self.index.tools.len() == 1 && reading.terms.len() >= TROUBLE;
        let tool = lookups.next()?;
        let only = lookups.next().is_none();
        (only && asks && !reading.terms.is_empty()).then_some(Choice::Tool {
            tool,
            commanded: true,
        })
    }
}
