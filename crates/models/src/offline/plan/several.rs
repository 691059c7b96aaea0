//! Several requests in one message: where one ends and the next begins, and which of them are one.

use serde_json::{Map, Value};

use super::super::cues::Cue;
use super::super::dialogue::Said;
use super::super::fill::{Filled, Sources, fill};
use super::super::mood::{self, Doubt};
use super::super::param::Kind;
use super::super::rank::{self, rank};
use super::super::reading::{BOTH, Reading};
use super::super::recall::Memory;
use super::super::spans::is_among;
use super::super::words::Text;
use super::{Choice, Mind, Step, is_clear};

/// What stands before the words of others.
const SAYING: [&str; 24] = [
    "said",
    "says",
    "say",
    "saying",
    "told",
    "tells",
    "asked",
    "asks",
    "wants",
    "wanted",
    "wrote",
    "writes",
    "сказал",
    "сказала",
    "говорит",
    "просит",
    "просил",
    "sa",
    "sade",
    "säger",
    "sagde",
    "sagt",
    "sagte",
    "meinte",
];

/// No more places than this are tried: a message costs the same however often it says "and".
const MOST: usize = 8;

impl Mind<'_> {
    /// "set maintenance to 10 % and calculate again": the same look twice is one, with all that was said.
    pub(super) fn join(&self, steps: &mut Vec<Step>, step: Step) {
        if let (
            Some(Step::Call {
                tool: before,
                arguments: known,
                ..
            }),
            Step::Call {
                tool, arguments, ..
            },
        ) = (steps.last_mut(), &step)
            && before == tool
            && self.are_one(*tool, known, arguments)
        {
            known.extend(arguments.clone());
            return;
        }
        steps.push(step);
    }

    /// "the one template and the other, both in German": what is said of both at the end holds for each draft
    /// that takes it.
    pub(super) fn share_what_is_said_of_both(&self, steps: &mut [Step], last: Option<&String>) {
        let text = last.map(|last| Text::in_language(last, Some(self.language)));
        let both =
            text.is_some_and(|text| (0..text.words.len()).any(|at| text.is_one_of(at, &BOTH)));
        let [
            earlier @ ..,
            Step::Call {
                tool, arguments, ..
            },
        ] = steps
        else {
            return;
        };
        let def = self.tool(*tool);
        let shared = arguments.iter().filter(|(name, _)| {
            let param = def.param(name);
            param.is_some_and(|param| matches!(param.kind, Kind::Enum(_) | Kind::Boolean))
        });
        let shared: Vec<(&String, &Value)> = shared.filter(|_| both && def.drafts).collect();
        for step in earlier {
            let Step::Call {
                tool, arguments, ..
            } = step
            else {
                continue;
            };
            let other = self.tool(*tool);
            for (name, value) in &shared {
                if other.drafts && other.param(name).is_some() && !arguments.contains_key(*name) {
                    arguments.insert((*name).clone(), (*value).clone());
                }
            }
        }
    }

    /// "add the one, remove the other": parts of a change that can be told of all of them at once.
    fn are_one(&self, tool: usize, known: &Map<String, Value>, more: &Map<String, Value>) -> bool {
        let def = self.tool(tool);
        let apart = more.keys().all(|name| !known.contains_key(name));
        let whole = def.target.is_none() && def.params.iter().all(|param| !param.required);
        let bare = known.is_empty() || more.is_empty();
        match (def.writes, def.drafts) {
            (true, false) => whole && apart,
            (true, true) | (false, _) => bare,
        }
    }

    /// "Anything new for me? And who has left?": two looks that are surely meant, however they are said.
    /// What they look at may be named once ("the QR code and the printout of GP-7").
    pub(super) fn two_looks(&self, part: &str) -> Option<[String; 2]> {
        const SHORTEST: usize = 2;
        let text = Text::in_language(part, Some(self.language));
        let look = |part: &str| self.surely(part).filter(|tool| !self.tool(*tool).writes);
        let starts = |at: &usize| text.starts_sentence(*at) || Cue::Join.at(&text, *at) > 0;
        let starts = (SHORTEST..text.words.len()).filter(starts);
        starts.take(MOST).find_map(|at| {
            let begin = Cue::skip(&[Cue::Join, Cue::Polite], &text, at);
            let left = text.raw[..text.words[at].start].trim_end_matches([' ', ',', ';']);
            let right = &text.raw[text.words.get(begin)?.start..];
            let long = text.words.len() - begin >= SHORTEST;
            let (first, second) = (look(left).filter(|_| long)?, look(right)?);
            let codes = |part: &str| self.read(part).codes;
            let left = match (codes(left).as_slice(), codes(right).as_slice()) {
                ([], [only]) => format!("{left} {}", only.value),
                _ => left.to_owned(),
            };
            (first != second).then(|| [left, right.to_owned()])
        })
    }

    /// "list the passes and my notifications", "write the ad and the messages": two things to look
    /// at or to draft after one verb. Each must be known for what it is, and by another tool.
    pub(super) fn two_things(&self, part: &str, said: &Said) -> Option<[String; 2]> {
        let reading = self.read(part);
        let text = &reading.text;
        let head = reading.head.as_ref()?;
        let verb = head.word.map_or("", |at| text.of(&text.words[at]));
        let join = (head.word.map_or(0, |at| at + 1)..text.words.len())
            .find(|at| Cue::Join.at(text, *at) > 0)?;
        let behind = join + Cue::Join.at(text, join);
        let after = text.words.get(behind)?;
        // "who is it for, and when did they leave?" goes on about the same.
        if Cue::Question.at(text, behind) > 0 {
            return None;
        }
        let left = text.raw[..text.words[join].start].trim_end().to_owned();
        let right = format!("{verb} {}", &text.raw[after.start..]);
        let best = |part: &str| {
            let reading = self.read(part);
            let known = (0..reading.text.words.len()).all(|at| reading.is_plain(self.index, at));
            let mut ranked = rank::rank(self.index, &reading, said).into_iter();
            let (first, second) = (ranked.next()?, ranked.next()?);
            // What is learned needs no verb to know a thing by its name.
            let sure = self.surely(part).filter(|tool| {
                let def = self.tool(*tool);
                let needs = def.params.iter().any(|param| param.required);
                let given = !needs || !reading.codes.is_empty();
                given && (!def.writes || def.drafts)
            });
            if sure.is_some() {
                return sure;
            }
            let clear = known
                && is_clear(&first)
                && first.score - second.score >= self.settings.draft_margin;
            let def = self.tool(first.tool);
            let looked_at = rank::is_looking(&head.actions) && !def.writes;
            let drafted = def.drafts && first.action && self.is_called(first.tool, &reading);
            (clear && (looked_at || drafted)).then_some(first.tool)
        };
        // "one for me and one for him, both in English"
        let tail = (behind..text.words.len())
            .find(|at| text.starts_clause(*at) && text.is_one_of(*at, &BOTH));
        let tail = tail.map(|at| &text.raw[text.words[at].end..]);
        let (first, second) = (best(&left)?, best(&right)?);
        let left = left + tail.unwrap_or_default();
        (first != second).then_some([left, right])
    }

    pub(super) fn is_request(&self, part: &str, said: &Said) -> bool {
        let reading = self.read(part);
        let ranked = rank(self.index, &reading, said);
        let Some(best) = ranked.first().filter(|best| is_clear(best)) else {
            return false;
        };
        // "… and leave the salary out": what names no document of its own belongs to the one before.
        let whole = part.len() == said.text.len();
        let named = self.is_called(best.tool, &reading) || Cue::Reference.is_in(&reading.text);
        whole || named || !self.tool(best.tool).drafts
    }

    /// "Marcus has to fetch his daughter. Can you set up a pass?": one sentence orders it, the others say
    /// what it is about. What they deny must be a value.
    pub(super) fn ordered_in_a_sentence(
        &self,
        sources: &Sources<'_>,
        choice: &Choice,
    ) -> Option<Vec<Step>> {
        let whole = &sources.reading.text;
        let open = match choice {
            Choice::Tool { tool, commanded } => {
                let taken = || fill(self.tool(*tool), *sources).taken_freely();
                let told = || mood::doubt(sources.reading, &taken()) == Some(Doubt::Reported);
                self.tool(*tool).writes && (!commanded || told())
            }
            Choice::Unclear(_) | Choice::Nothing => true,
        };
        let starts = self.starts_of_orders(sources.reading);
        let few = (2..=MOST).contains(&starts.len());
        if !open || !few || self.index.looks_up() {
            return None;
        }
        let ends = starts.iter().skip(1).map(|at| whole.words[*at].start);
        let ends = ends.chain([whole.raw.len()]);
        let sentences = starts.iter().map(|at| whole.words[*at].start).zip(ends);
        let ordered = |(begin, end): (usize, usize)| {
            let reading = self.read(whole.raw[begin..end].trim());
            let own = Sources {
                reading: &reading,
                ..*sources
            };
            let Choice::Tool { tool, commanded } = self.choose(&own) else {
                return None;
            };
            let taken = fill(self.tool(tool), own).taken_freely();
            let plain = mood::doubt(&reading, &taken).is_none() && !reading.question;
            (commanded && plain && self.tool(tool).writes).then_some((tool, begin..end, reading))
        };
        let mut ordered = sentences.filter_map(ordered);
        let (tool, place, reading) = ordered.next()?;
        let other = |other: &usize| *other != tool;
        let chosen_otherwise = match choice {
            // "The profile is confirmed. Write the ad": what is only told of is not chosen against an order.
            Choice::Tool { tool, commanded } => *commanded && other(tool),
            Choice::Unclear(_) | Choice::Nothing => false,
        };
        let filled = fill(self.tool(tool), *sources);
        let doubt = mood::doubt(sources.reading, &filled.taken_freely());
        let told = matches!(doubt, None | Some(Doubt::Reported));
        let denies = |at: usize| {
            const DENIALS: [Cue; 4] = [
                Cue::Negation,
                Cue::Condition,
                Cue::TakeBack,
                Cue::Hesitation,
            ];
            let span = whole.words[at].span();
            let said = DENIALS.iter().any(|cue| cue.at(whole, at) > 0);
            said && !place.contains(&span.start) && !is_among(&filled.taken, &span)
        };
        let denied = (0..whole.words.len()).any(denies);
        if denied || !told || chosen_otherwise || ordered.any(|(tool, ..)| other(&tool)) {
            return None;
        }
        // Where values stand is known of the whole message only.
        let filled = Filled {
            taken: Vec::new(),
            chosen: Vec::new(),
            ..filled
        };
        Some(self.act(tool, filled, &reading, true))
    }

    /// Where sentences begin, and clauses that ask a favour or order something: "we've made up our minds,
    /// take us to …", unless somebody else is said to say so.
    fn starts_of_orders(&self, reading: &Reading) -> Vec<usize> {
        let text = &reading.text;
        let quoted = (0..text.words.len()).any(|at| text.is_one_of(at, &SAYING));
        let favour = |at: usize| {
            let begins = Cue::skip(&[Cue::Join], text, at);
            let meaning = reading.meanings.get(begins);
            let orders = meaning.is_some_and(|meaning| {
                let mut commands = meaning.commands.iter();
                commands.any(|action| self.index.offers_action(*action))
            });
            let asked = Cue::Polite.at(text, begins) > 0 || orders && !quoted;
            text.starts_clause(at) && asked
        };
        let starts = |at: &usize| text.starts_sentence(*at) || favour(*at);
        (0..text.words.len()).filter(starts).collect()
    }

    /// "recommend Anna, Boris gets a no": somebody else in each clause, and all that is needed with them.
    pub(super) fn one_each(
        &self,
        tool: usize,
        filled: &Filled,
        sources: &Sources<'_>,
    ) -> Option<Vec<Step>> {
        let def = self.tool(tool);
        let text = &sources.reading.text;
        let named = sources.reading.named(self.index);
        let mut names = def.params.iter().filter(|param| {
            let name = matches!(param.kind, Kind::Name) && param.required;
            let open = filled.unclear.contains_key(&param.name);
            name && (open || named.len() > 1 && filled.several.is_none())
        });
        let param = names.next().filter(|_| def.writes && !def.drafts)?;
        if named.len() > MOST {
            return None;
        }
        let starts = |at: &usize| text.starts_clause(*at) || Cue::Join.at(text, *at) > 0;
        let cuts: Option<Vec<usize>> = named
            .windows(2)
            .map(|pair| {
                let between = pair[0].words.end..=pair[1].words.start;
                between.into_iter().rev().find(starts)
            })
            .collect();
        let cuts = cuts.filter(|cuts| !cuts.is_empty())?;
        let begins = std::iter::once(0).chain(cuts.iter().map(|at| text.words[*at].start));
        let ends = cuts.iter().map(|at| text.words[*at].start);
        let clauses = begins.zip(ends.chain([text.raw.len()]));
        let mut steps: Vec<Step> = Vec::new();
        let mut seen: Vec<Value> = Vec::new();
        for (begin, end) in clauses {
            let clause = text.raw[begin..end].trim_end_matches([' ', ',', ';']);
            let reading = self.read(clause);
            let own = Sources {
                reading: &reading,
                ..*sources
            };
            let filled = fill(def, own);
            let doubt = mood::doubt(&reading, &filled.taken_freely());
            let told = doubt == Some(Doubt::Reported) && def.target.is_none();
            let whole = filled.missing(def).is_empty() && filled.recalled.is_empty();
            let name = filled.values.get(&param.name).cloned()?;
            if !whole
                || doubt.is_some() && !told
                || filled.several.is_some()
                || seen.contains(&name)
            {
                return None;
            }
            seen.push(name);
            steps.extend(self.calls(tool, filled));
        }
        Some(steps)
    }

    /// "Marcus has to fetch his daughter and comes back. Can you set up a pass?", "the four are right, you can
    /// confirm it": what is said before an order belongs to it, where it asks for nothing else.
    pub(super) fn with_what_belongs_to_them(&self, parts: Vec<String>, said: &Said) -> Vec<String> {
        let memory = Memory::new(self.dialogue);
        let mut joined: Vec<String> = Vec::with_capacity(parts.len());
        for part in parts {
            let belongs = joined.last().is_some_and(|before| {
                let (left, right) = (self.read(before), self.read(&part));
                let sources = |reading| self.sources(reading, said, &memory);
                let (left, right) = (sources(&left), sources(&right));
                match (self.choose(&left), self.choose(&right)) {
                    (Choice::Nothing, Choice::Tool { commanded, .. }) => {
                        commanded && left.reading.head.is_none()
                    }
                    (Choice::Tool { tool, .. }, Choice::Tool { tool: other, .. }) => {
                        let def = self.tool(tool);
                        let made = def.writes && def.target.is_none();
                        let lacks = !fill(def, right).missing(def).is_empty();
                        tool == other && made && (lacks || fill(def, left).guessed)
                    }
                    _ => false,
                }
            });
            match joined.last_mut().filter(|_| belongs) {
                Some(before) => {
                    let ends = before.ends_with(['.', '!', '?']);
                    before.push_str(if ends { " " } else { ". " });
                    before.push_str(&part);
                }
                None => joined.push(part),
            }
        }
        joined
    }

    /// "remove the Whiz and then do the business case": whether the second part surely means another tool
    /// than the first, which has all that it needs without it.
    pub(super) fn is_another(&self, left: &str, right: &str, said: &Said) -> bool {
        let (Some(first), Some(second)) = (self.surely(left), self.surely(right)) else {
            return false;
        };
        let reading = self.read(left);
        let memory = Memory::new(self.dialogue);
        let filled = fill(self.tool(first), self.sources(&reading, said, &memory));
        first != second && filled.missing(self.tool(first)).is_empty()
    }
}
