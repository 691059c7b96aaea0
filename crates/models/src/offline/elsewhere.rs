//! Tools that the assistant has and this person cannot use now, because of their role or of the phase
//! that the conversation is in. They are never called; who asks for one is told where it belongs.

use frontdesk_core::tool::ToolDef;
use frontdesk_core::toolbox::{Bar, Offer};

use super::dialogue::Said;
use super::index::Index;
use super::language::Language;
use super::param::Kind;
use super::plan::{Choice, Mind, is_clear};
use super::rank::{is_looking, rank};
use super::reading::Reading;

/// All tools of the assistant: those that are offered first.
pub(super) struct Elsewhere {
    index: Index,
    barred: Vec<Barred>,
}

struct Barred {
    title: String,
    bar: Bar,
    roles: Vec<String>,
    phase: Option<String>,
}

impl Elsewhere {
    pub(super) fn new(offer: &Offer) -> Option<Self> {
        if offer.elsewhere.is_empty() {
            return None;
        }
        let others = offer.elsewhere.iter().map(|other| &other.tool);
        let all: Vec<&ToolDef> = offer.tools.iter().chain(others).collect();
        let barred = offer.elsewhere.iter().map(|other| Barred {
            title: other.tool.title(),
            bar: other.bar,
            roles: other
                .tool
                .spec
                .roles
                .iter()
                .map(ToString::to_string)
                .collect(),
            phase: other.tool.spec.phases.first().map(ToString::to_string),
        });
        Some(Self {
            index: Index::of(&all),
            barred: barred.collect(),
        })
    }

    /// Why the tool of this title cannot be used, and who or where it is for.
    fn told(&self, barred: &Barred, language: Language) -> String {
        let phrases = language.phrases();
        match (barred.bar, &barred.phase) {
            (Bar::Phase, Some(phase)) => phrases
                .other_phase
                .replace("{title}", &barred.title)
                .replace("{phase}", phase),
            (Bar::Role | Bar::Phase, _) => {
                let same = self
                    .barred
                    .iter()
                    .filter(|other| other.title == barred.title);
                let mut roles: Vec<&str> = same
                    .filter(|other| other.bar == Bar::Role)
                    .flat_map(|other| other.roles.iter().map(String::as_str))
                    .collect();
                roles.sort_unstable();
                roles.dedup();
                phrases
                    .other_role
                    .replace("{title}", &barred.title)
                    .replace("{roles}", &roles.join(&format!(" {} ", phrases.or)))
            }
        }
    }
}

impl Mind<'_> {
    /// What to say where a request is for a tool that this person cannot use now. `choice` is what
    /// the tools at hand would make of it: it stands where it does what is asked for.
    pub(super) fn beyond(&self, here: &Reading, said: &Said, choice: &Choice) -> Option<String> {
        let elsewhere = self.index.elsewhere.as_deref()?;
        let likely = here.likely(self.index);
        let surely = likely.is_some_and(|likely| likely.elsewhere >= SURELY);
        // Cheap first: what is ordered is done by the tool that was chosen.
        if let (Choice::Tool { tool, .. }, Some(head), false) = (choice, &here.head, surely) {
            let mut actions = head.actions.iter();
            if head.word.is_some() && actions.any(|a| self.tool(*tool).actions.contains(a)) {
                return None;
            }
        }
        // What was learned knows better than words that merely look alike.
        if likely.is_some_and(|likely| likely.elsewhere < UNLIKELY) {
            return None;
        }
        let wide = Mind {
            index: &elsewhere.index,
            ..*self
        };
        let reading = wide.read(&here.text.raw);
        let ranked = rank(wide.index, &reading, said);
        let best = ranked.first().filter(|best| is_clear(best))?;
        let offered = self.index.tools.len();
        let barred = elsewhere.barred.get(best.tool.checked_sub(offered)?)?;
        let own = ranked.iter().find(|scored| scored.tool < offered);
        let ahead = own.map_or(best.score, |own| best.score - own.score);
        let ordered = reading
            .head
            .as_ref()
            .filter(|head| head.word.is_some() && !is_looking(&head.actions));
        let does = |tool: usize| {
            let mut actions = ordered.into_iter().flat_map(|head| &head.actions);
            actions.any(|action| wide.tool(tool).actions.contains(action))
        };
        let stands = match choice {
            Choice::Tool { tool, .. } => does(*tool) || !does(best.tool),
            Choice::Unclear(tools) => tools.iter().any(|tool| does(*tool)),
            Choice::Nothing => false,
        };
        let sure = ahead >= self.settings.draft_margin;
        (!stands && sure).then(|| elsewhere.told(barred, self.language))
    }
}

/// Below this a tool that is not at hand is not meant, by what was learned.
const UNLIKELY: f32 = 0.25;
/// From here on it is meant, whatever the tools at hand would make of it.
const SURELY: f32 = 0.85;

/// What takes the conversation to the phase that such an answer names: an example of the tool that
/// goes there.
pub(super) fn way_there(text: &str, index: &Index, language: Language) -> Option<String> {
    let (_, after) = language.phrases().other_phase.split_once("{title}")?;
    let (before, after) = after.split_once("{phase}")?;
    let phase = text.split_once(before)?.1.split_once(after)?.0;
    let goes = |kind: &Kind| matches!(kind, Kind::Enum(choices) if choices.iter().any(|one| one.value == phase));
    index.tools.iter().find_map(|tool| {
        let param = tool.params.iter().find(|param| goes(&param.kind))?;
        let mut lessons = tool.lessons.iter();
        let lesson = lessons.find(|lesson| {
            lesson
                .arguments
                .get(&param.name)
                .is_some_and(|to| to == phase)
        })?;
        Some(super::param::capitalised(&lesson.say))
    })
}
