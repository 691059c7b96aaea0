//! What was learned from the assistant's list of what people say, beside what the words of the tools tell:
//! where both agree they are surer, where they do not the person is asked.

use super::super::cues::Cue;
use super::super::fill::Sources;
use super::super::learned::Likely;
use super::super::mood;
use super::super::rank::Scored;
use super::super::reading::Reading;
use super::Mind;
use super::choose::{Choice, MOST_CHOICES};

/// What it counts for a tool that a sentence surely means it by what was learned.
const LEARNED: f32 = 0.4;
/// And that it is a request at all.
const EVIDENCE: f32 = 0.3;
/// From here on it is what is meant, unless the words have found something that may well be meant, too.
const PROBABLY: f32 = 0.72;
const FAIRLY: f32 = 0.3;
/// From here on an order is an order, if nothing else speaks against it.
const SURELY: f32 = 0.85;
/// From here on it is as good as a sentence of the list.
const PLAINLY: f32 = 0.95;
/// Below this a tool is not meant, whatever its words say.
const HARDLY: f32 = 0.1;

impl Mind<'_> {
    pub(super) fn weigh_likely(&self, ranked: &mut [Scored], reading: &Reading) {
        let Some(likely) = reading.likely(self.index) else {
            return;
        };
        for scored in ranked {
            let share = likely.tools.get(scored.tool).copied().unwrap_or_default();
            scored.score += LEARNED * share;
            scored.evidence += EVIDENCE * share;
        }
    }

    /// Whether a look is surely meant, however it is said.
    pub(super) fn surely_looks(&self, reading: &Reading) -> bool {
        let best = reading.likely(self.index).map(Likely::best);
        best.is_some_and(|(tool, share)| share >= SURELY && !self.tool(tool).writes)
    }

    /// The one tool that a part of a message surely means.
    pub(super) fn surely(&self, part: &str) -> Option<usize> {
        let (tool, share) = self.read(part).likely(self.index)?.best();
        (share >= SURELY).then_some(tool)
    }

    /// The one tool of which a message is as good as a sentence of the list.
    pub(in super::super) fn plainly(&self, message: &str) -> Option<usize> {
        let (tool, share) = self.read(message).likely(self.index)?.best();
        (share >= PLAINLY).then_some(tool)
    }

    /// Whether some tool is likely meant.
    pub(super) fn is_likely_request(&self, reading: &Reading) -> bool {
        let best = reading.likely(self.index).map(Likely::best);
        best.is_some_and(|(_, share)| share >= PROBABLY)
    }

    /// The choice that the words led to, in the light of what was learned.
    pub(super) fn as_learned(&self, sources: &Sources<'_>, choice: Choice) -> Choice {
        let Some(likely) = sources.reading.likely(self.index) else {
            return choice;
        };
        let share = |tool: usize| likely.tools.get(tool).copied().unwrap_or_default();
        // Who asks, tells what somebody does or gives thanks first orders nothing.
        let reading = sources.reading;
        let head = reading.head.as_ref().is_some_and(|head| head.command);
        let thanks =
            Cue::Thanks.at(&reading.text, 0) > 0 && !head && !Cue::Please.is_in(&reading.text);
        let orders = !reading.question && !mood::speaks_of_somebody(reading) && !thanks;
        let (best, most) = likely.best();
        // What is done to an existing thing takes an order that is as good as an example.
        let text = &sources.reading.text;
        let told = || Cue::Helping.is_in(text) || Cue::Negation.is_in(text);
        let lifts = |tool: usize| {
            let def = self.tool(tool);
            let enough = if def.drafts { SURELY } else { PLAINLY };
            let existing = def.target.is_some();
            // What needs nothing ("confirm it") is easily spoken of, too.
            let bare = !def.drafts && def.params.iter().all(|param| !param.required);
            let plain = !existing && !bare || !told() && self.is_complete(tool, sources);
            // Where something comes of it, at least one word must be about it.
            const ABOUT: f32 = 0.3;
            let mut terms = sources.reading.terms.iter().flat_map(|term| &term.keys);
            let named = terms.any(|(key, _)| self.index.points_to(key, tool, ABOUT));
            let plain = plain && (named || !def.writes);
            // To ask about a text is to have it judged.
            let judged = def.judges() && sources.reading.question;
            share(tool) >= enough && (orders || judged) && plain
        };
        let instead = |tool: usize| Choice::Tool {
            tool,
            commanded: lifts(tool),
        };
        let given = !sources.reading.codes.is_empty() || sources.said.has_text();
        // Where questions are looked up, to look once too often costs nothing.
        let idle = if self.index.looks_up() {
            SURELY
        } else {
            PROBABLY
        };
        let idle = likely.nothing >= idle && !given;
        match choice {
            Choice::Tool { tool, commanded } if share(tool) >= FAIRLY => {
                let others = (0..likely.tools.len()).filter(|other| share(*other) >= HARDLY);
                let others: Vec<usize> = others.filter(|other| *other != tool).collect();
                let target = self.tool(tool).target.is_some() && self.tool(tool).writes;
                let unsure = share(tool) < PROBABLY && !others.is_empty() && !given;
                if target && commanded && unsure && self.is_complete(tool, sources) {
                    let both = std::iter::once(tool).chain(others);
                    return Choice::Unclear(both.take(MOST_CHOICES).collect());
                }
                Choice::Tool {
                    tool,
                    commanded: commanded || lifts(tool),
                }
            }
            Choice::Tool { tool, commanded } => {
                let wrong = most >= PLAINLY && share(tool) < HARDLY;
                let ordered = commanded && self.tool(tool).writes && !wrong;
                let needs = self.tool(tool).params.iter().any(|param| param.required);
                let complete = needs && self.is_complete(tool, sources);
                let whole = complete && !self.is_complete(best, sources);
                match (most >= PROBABLY && !ordered && !whole, idle && !ordered) {
                    (true, _) => instead(best),
                    (false, true) => Choice::Nothing,
                    (false, false) => Choice::Tool {
                        tool,
                        commanded: commanded && share(tool) >= HARDLY,
                    },
                }
            }
            Choice::Unclear(_) | Choice::Nothing if most >= PROBABLY => instead(best),
            Choice::Unclear(_) if idle => Choice::Nothing,
            Choice::Unclear(_) | Choice::Nothing => choice,
        }
    }
}
