//! The word that says what is to be done.

use super::super::cues::Cue;
use super::super::index::{Index, ToolIndex};
use super::super::lexicon::{Concept, LEXICON};
use super::super::rank;
use super::{Head, ONE, OWN_WORD, Reading, Term};

impl Reading {
    /// The first word that asks for something some tool does; a mere wish counts where
    /// there is no such word.
    pub(super) fn find_head(&self, index: &Index) -> Option<Head> {
        let mut wish: Option<Head> = None;
        let begins = self.opening();
        let orders = |term: &&Term| term.word >= begins && !self.points_to_file(term.word);
        for term in self.terms.iter().filter(orders) {
            match self.head_at(index, term) {
                // "New messages?" wishes for nothing.
                Some(head) if self.question && is_wish(&head) => {}
                Some(head) if is_wish(&head) => {
                    // Behind other matters, "new" and its like wish for nothing.
                    let opens = (0..term.word)
                        .all(|at| self.is_plain(index, at) || self.text.is_capitalised(at));
                    wish = wish.or(opens.then(|| as_creation(head)));
                }
                Some(head)
                    if rank::is_looking(&head.actions) && self.asks_for_one(index, &head) =>
                {
                    return Some(as_creation(head));
                }
                Some(head) => return Some(self.with_what_follows(index, head)),
                None => {}
            }
        }
        wish.or_else(|| self.wish_for_one(index))
    }

    /// "make a comparison", "put them side by side": a verb that says little leaves it to what
    /// follows to say what is to be done.
    fn with_what_follows(&self, index: &Index, mut head: Head) -> Head {
        const NEAR: usize = 2;
        let create = LEXICON.named("create");
        let light = head.actions.iter().any(|action| Some(*action) == create)
            || ["do", "give", "run", "carry"].contains(&head.lower.as_str());
        let Some(at) = head.word else {
            return head;
        };
        if let Some(changed) = self.changes_a_whole(index, at) {
            head.actions = vec![changed];
            return head;
        }
        if !light {
            return head;
        }
        let in_clause = |to: usize| {
            (at + 1..=to).all(|w| !self.text.gap_before(w).contains([',', '.', ';', ':', '\n']))
        };
        let phrase = |term: &&Term| {
            let meaning = &self.meanings[term.word];
            let mut commands = meaning.commands.iter();
            meaning.phrase && in_clause(term.word) && commands.any(|c| index.offers_action(*c))
        };
        let mut behind = self.terms.iter().filter(|term| term.word > at);
        if let Some(term) = behind.find(phrase) {
            head.actions.clone_from(&self.meanings[term.word].commands);
            return head;
        }
        let behind = self.terms.iter().filter(|term| term.word > at);
        for term in behind.take(NEAR) {
            let meaning = &self.meanings[term.word];
            if in_clause(term.word) {
                let bare = |c: &Concept| ["show", "find", "need"].contains(&LEXICON.name(*c));
                let said = meaning.concepts.iter().copied();
                let said: Vec<Concept> = said
                    .filter(|c| LEXICON.is_action(*c) && !bare(c) && index.offers_action(*c))
                    .collect();
                // What only says that something is made comes behind what is made of it.
                head.actions.splice(0..0, said);
            }
        }
        head
    }

    /// "add it to the list", "take it off the list": where some tool changes what is named
    /// behind the preposition, that is what is wanted.
    fn changes_a_whole(&self, index: &Index, verb: usize) -> Option<Concept> {
        const INTO: [&str; 14] = [
            "to", "on", "onto", "from", "off", "till", "från", "til", "fra", "på", "zu", "auf",
            "von", "из",
        ];
        let alters = self.meanings[verb]
            .commands
            .iter()
            .any(|c| ["create", "delete", "mark"].contains(&LEXICON.name(*c)));
        let change = LEXICON.named("change").filter(|_| alters)?;
        let into = (verb + 1..self.text.words.len())
            .rfind(|at| INTO.contains(&self.text.words[*at].lower.as_str()))?;
        let whole = self.terms.iter().find(|term| term.word > into)?;
        let near = (into + 1..whole.word).all(|at| self.text.words[at].function);
        let is_named = |tool: &ToolIndex| {
            let mut names = tool.name_terms.iter().chain(&tool.title_terms).flatten();
            names.any(|name| whole.keys.iter().any(|(key, _)| key == name))
        };
        let mut tools = index.tools.iter();
        let known =
            tools.any(|tool| tool.writes && tool.actions.contains(&change) && is_named(tool));
        (near && known).then_some(change)
    }

    /// "get him a pass": the thing that is handed over is a new one.
    fn asks_for_one(&self, index: &Index, head: &Head) -> bool {
        let hands_over = ["get", "give", "grant", "write", "do"].contains(&head.lower.as_str());
        let behind = head.word.map_or(0, |at| at + 1);
        // "give the hiring manager a guide"
        const REACH: usize = 6;
        let mut ones = (behind..self.text.words.len())
            .take(REACH)
            .filter(|at| ONE.contains(&self.text.words[*at].lower.as_str()));
        hands_over && ones.any(|at| self.is_made(index, at + 1))
    }

    /// "start a pass for Bob": whatever the verb, one that is not there yet.
    fn wish_for_one(&self, index: &Index) -> Option<Head> {
        const REACH: usize = 3;
        let begins = self.opening();
        let one = (0..self.text.words.len().min(begins.max(REACH) + 1))
            .find(|at| ONE.contains(&self.text.words[*at].lower.as_str()))?;
        let made = self.codes.is_empty() && !self.question && self.is_made(index, one + 1);
        let verb = self.terms.first().map(|term| term.word);
        // "I need a …": who wishes for one in so many words orders it.
        let wished = one > 0 && self.opening() == one;
        made.then(|| Head {
            word: verb.filter(|at| *at < one),
            actions: LEXICON.named("create").into_iter().collect(),
            lower: String::new(),
            command: wished,
        })
    }

    /// Whether the thing named here is made by some tool, and nothing but it is named.
    fn is_made(&self, index: &Index, at: usize) -> bool {
        let Some(term) = self.terms.iter().find(|term| term.word >= at) else {
            return false;
        };
        let near = (at..term.word).all(|word| self.text.words[word].function);
        let create = LEXICON.named("create");
        // By its name, or by what examples call it.
        let called = |number: usize| {
            let tools = term.keys.iter().flat_map(|(key, _)| index.tools_by(key));
            tools
                .into_iter()
                .any(|(tool, weight)| *tool == number && *weight >= OWN_WORD)
        };
        let makes = |(number, tool): (usize, &ToolIndex)| {
            let creates = create.is_some_and(|create| tool.actions.contains(&create));
            let mut names = tool.name_terms.iter().flatten();
            let named = names.any(|name| term.keys.iter().any(|(key, _)| key == name));
            tool.writes && creates && (named || tool.drafts && called(number))
        };
        near && index.tools.iter().enumerate().any(makes)
    }

    /// "…, see the picture": the end of a sentence that only points to what is attached.
    fn points_to_file(&self, at: usize) -> bool {
        let length = Cue::Attached.at(&self.text, at);
        let end = at + length;
        length > 0
            && (end == self.text.words.len()
                || self
                    .text
                    .gap_before(end)
                    .contains([',', '.', ';', '!', '\n']))
    }

    fn head_at(&self, index: &Index, term: &Term) -> Option<Head> {
        let at = term.word;
        let meaning = &self.meanings[at];
        if Cue::Negation.at(&self.text, at) > 0 || self.is_described(at) {
            return None;
        }
        let useful = |concept: &&Concept| {
            let name = LEXICON.name(**concept);
            index.offers_action(**concept)
                || ["need", "show", "find"].contains(&name)
                || (name == "explain" && index.looks_up())
        };
        let actions: Vec<Concept> = meaning.commands.iter().filter(useful).copied().collect();
        if !actions.is_empty() {
            return Some(Head {
                word: Some(at),
                actions,
                lower: term.lower.clone(),
                command: true,
            });
        }
        let is_head = index.has_verb(&term.lower);
        let opens = self.opens_at(at);
        (is_head && opens).then(|| Head {
            word: Some(at),
            actions: meaning
                .concepts
                .iter()
                .filter(|c| LEXICON.is_action(**c))
                .copied()
                .collect(),
            lower: term.lower.clone(),
            command: true,
        })
    }

    /// "the open tickets", "all open tickets": after an article a word is no command, nor is
    /// it one in "it is hard to find people".
    pub(in super::super) fn is_described(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let opens_with_it = self.text.words[0].lower == "it";
        if opens_with_it && self.text.words[before].lower == "to" {
            return true;
        }
        let articles = [
            "the", "a", "an", "any", "some", "these", "those", "der", "die", "das", "den", "de",
            "det", "ett", "en",
        ];
        let article = articles.contains(&self.text.words[before].lower.as_str());
        // "the four are correct"
        const BEING: [&str; 16] = [
            "is", "are", "was", "were", "be", "been", "isn't", "aren't", "looks", "seems", "är",
            "var", "er", "ist", "sind", "war",
        ];
        let word = article
            || self.text.is_one_of(before, &BEING)
            || Cue::Possessive.at(&self.text, before) > 0
            || Cue::Everything.at(&self.text, before) > 0;
        word && self.text.gap_before(at) == " "
    }

    /// Whether nothing but politeness and values stands before this word.
    fn opens_at(&self, at: usize) -> bool {
        (0..at).all(|before| {
            let word = &self.text.words[before];
            word.function || self.is_value(before) || Cue::Polite.at(&self.text, before) > 0
        })
    }
}

/// Whether nothing but writing tools does what this word says.
pub(super) fn only_writes(index: &Index, head: &Head) -> bool {
    let mut doing = index
        .tools
        .iter()
        .filter(|tool| head.actions.iter().any(|a| tool.actions.contains(a)))
        .peekable();
    doing.peek().is_some() && doing.all(|tool| tool.writes)
}

fn as_creation(head: Head) -> Head {
    Head {
        actions: LEXICON.named("create").into_iter().collect(),
        ..head
    }
}

fn is_wish(head: &Head) -> bool {
    let mut actions = head.actions.iter();
    actions.any(|action| LEXICON.name(*action) == "need")
}
