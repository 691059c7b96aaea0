//! Words without a call: greetings, help, what is beyond the tools.

use frontdesk_core::untrusted;

use super::super::cues::Cue;
use super::super::dialogue::{Entry, Said};
use super::super::language::Language;
use super::super::mood::{self, Talk};
use super::super::param::Kind;
use super::super::words::Text;
use super::Mind;

/// So many tools are listed when nothing was understood.
const SHOWN_TOOLS: usize = 6;
const SHOWN_EXAMPLES: usize = 3;

impl Mind<'_> {
    /// What to say to a message that asks for nothing.
    pub(super) fn without_request(&self, said: &Said, text: &Text) -> Option<String> {
        let phrases = self.language.phrases();
        if untrusted::is_blank(&said.text) || text.words.is_empty() {
            return match (said.texts.is_empty(), said.files.is_empty()) {
                (false, _) => {
                    Some(self.what_with(phrases.what_with_text, |k| matches!(k, Kind::LongText)))
                }
                (true, false) => {
                    Some(self.what_with(phrases.what_with_file, |k| matches!(k, Kind::File)))
                }
                (true, true) => Some(self.unreadable()),
            };
        }
        if mood::is_cancel(text) {
            return Some(phrases.dropped.to_owned());
        }
        let asked = || self.is_likely_request(&self.read(&said.text));
        if self.is_chat(text) && !asked() {
            return Some(self.out_of_scope());
        }
        if mood::small_talk(text).is_none() && self.is_remark(said, text) && !asked() {
            return Some(self.introduced(phrases.welcome));
        }
        match mood::small_talk(text)? {
            Talk::Greeting => Some(self.hello()),
            Talk::Thanks => Some(self.introduced(phrases.welcome)),
            Talk::Bye => Some(self.introduced(phrases.goodbye)),
            Talk::Help => Some(self.introduced(&self.can_do())),
            Talk::Identity => Some(format!("{}\n\n{}", phrases.intro, self.can_do())),
        }
    }

    /// The weather and its like, where no tool is about it.
    fn is_chat(&self, text: &Text) -> bool {
        let known = |at: usize| {
            let word = &text.words[at].lower;
            !self.index.tools_by(word).is_empty()
        };
        let chat = (0..text.words.len()).find(|at| Cue::Chat.at(text, *at) > 0);
        chat.is_some_and(|at| {
            let last = at + Cue::Chat.at(text, at) - 1;
            !known(last)
        })
    }

    /// "hmm, let me think about that one", "great work, see you tomorrow": talk that asks for nothing,
    /// orders nothing, has no value in it and nothing for who listens.
    fn is_remark(&self, said: &Said, text: &Text) -> bool {
        const TALK: [Cue; 3] = [Cue::Remark, Cue::Thanks, Cue::Bye];
        let begins = Cue::skip(&[Cue::Yes, Cue::Greeting, Cue::Polite], text, 0);
        let talks = Cue::Remark.is_in(text) || TALK.iter().any(|cue| cue.at(text, begins) > 0);
        let figures = text.raw.contains(|c: char| c.is_ascii_digit() || c == '?');
        let wants = Cue::Please.is_in(text) && !Cue::Thanks.is_in(text);
        let listening = self.index.tools.iter().any(|tool| tool.listens.is_some());
        let heard = || listening && self.heard(&self.read(&said.text), said).is_some();
        let given = !said.files.is_empty() || said.has_text();
        talks && !figures && !wants && !given && !self.asks_for_something(text) && !heard()
    }

    /// Whether some word orders what a tool does, or is one that a tool is called by.
    fn asks_for_something(&self, text: &Text) -> bool {
        const NAMED: f32 = 0.95;
        let reading = self.read(&text.raw);
        let talk = |at: usize| {
            let cues = [Cue::Remark, Cue::Thanks, Cue::Bye, Cue::Greeting];
            cues.iter()
                .any(|cue| cue.at(text, at) > 0 || cue.before(text, at + 1))
        };
        let orders = |at: usize| {
            let mut commands = reading.meanings[at].commands.iter();
            commands.any(|action| self.index.offers_action(*action))
        };
        let named = |at: usize| {
            let word = &text.words[at].lower;
            let mut tools = self.index.tools_by(word).iter();
            !text.words[at].function && tools.any(|(_, weight)| *weight >= NAMED)
        };
        let asked = Cue::Question.at(text, reading.opening()) > 0;
        asked || (0..text.words.len()).any(|at| !talk(at) && (orders(at) || named(at)))
    }

    pub(super) fn hello(&self) -> String {
        let hello = self.introduced(self.language.phrases().hello);
        format!("{hello}\n\n{}", self.can_do())
    }

    /// The first time, with what the model is.
    fn introduced(&self, words: &str) -> String {
        let intro = |language: Language| language.phrases().intro;
        let known = self.dialogue.before.iter().any(|entry| match entry {
            Entry::Answer(text) => Language::ALL.iter().any(|l| text.contains(intro(*l))),
            Entry::Person(_) | Entry::Call(_) => false,
        });
        if known {
            return words.to_owned();
        }
        format!("{words}\n\n{}", intro(self.language))
    }

    fn can_do(&self) -> String {
        let phrases = self.language.phrases();
        if self.index.tools.is_empty() {
            return phrases.no_tools.to_owned();
        }
        let tools = self.index.tools.iter().map(|tool| {
            let first = tool.description.split(". ").next().unwrap_or_default();
            let first = first
                .lines()
                .next()
                .unwrap_or_default()
                .trim_end_matches('.');
            if first.is_empty() {
                format!("- {}", tool.title)
            } else {
                format!("- {}: {first}", tool.title)
            }
        });
        let tools: Vec<String> = tools.collect();
        format!("{}\n{}", phrases.can_do, tools.join("\n"))
    }

    pub(super) fn out_of_scope(&self) -> String {
        let phrases = self.language.phrases();
        if self.index.tools.is_empty() {
            return format!("{} {}", phrases.out_of_scope, phrases.no_tools);
        }
        let titles = self.index.tools.iter().take(SHOWN_TOOLS);
        let titles: Vec<String> = titles.map(|tool| format!("- {}", tool.title)).collect();
        let mut text = format!(
            "{} {}\n{}",
            phrases.out_of_scope,
            phrases.can_do,
            titles.join("\n")
        );
        if self.index.tools.len() > SHOWN_TOOLS {
            text.push_str("\n- …");
        }
        text
    }

    fn unreadable(&self) -> String {
        let phrases = self.language.phrases();
        let examples = self
            .index
            .tools
            .iter()
            .filter_map(|tool| tool.lessons.first());
        let said: Vec<String> = examples
            .take(SHOWN_EXAMPLES)
            .map(|lesson| format!("- {}", lesson.say))
            .collect();
        if said.is_empty() {
            return format!("{} {}", phrases.unreadable, self.can_do());
        }
        format!(
            "{} {}\n{}",
            phrases.unreadable,
            phrases.for_example,
            said.join("\n")
        )
    }

    fn what_with(&self, question: &str, takes: impl Fn(&Kind) -> bool) -> String {
        let tools = self.index.tools.iter();
        let able: Vec<String> = tools
            .filter(|tool| tool.params.iter().any(|param| takes(&param.kind)))
            .map(|tool| format!("- {}", tool.title))
            .collect();
        if able.is_empty() {
            return self.out_of_scope();
        }
        format!("{question}\n{}", able.join("\n"))
    }
}
