//! Decides when a write waits for a person. One rule for every assistant and every model.
//!
//! Text that others wrote can contain instructions to the model. A write therefore runs without
//! approval only if nothing but the person's current message can have requested it.

/// How the person's current message requests a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// It names the write's target literally and is not a question.
    NamesTarget,
    /// The tool has no target, and the model's context holds only the person's own words.
    OnlyTheirWords,
    /// The target occurs elsewhere, in a question, or nowhere.
    Unclear,
}

/// The inputs of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The tool deletes, decides about people or cannot be undone: `approval` in its spec.
    pub always_asks: bool,
    /// The tool builds on a draft that nobody has confirmed.
    pub builds_on_draft: bool,
    /// Only adds a document version or a fact to this conversation.
    pub undoable: bool,
    /// The model may write, see [`crate::model::Model::may_write`].
    pub may_write: bool,
    pub request: Request,
    /// A tool result or the content of a text or file reached the model earlier in this turn.
    pub untrusted_text: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitReason {
    AlwaysAsks,
    UnconfirmedDraft,
    ModelMayNotWrite,
    UntrustedText,
    NotNamed,
}

/// `None` if the write runs at once.
pub fn wait_reason(write: Write) -> Option<WaitReason> {
    if write.always_asks {
        Some(WaitReason::AlwaysAsks)
    } else if write.builds_on_draft {
        Some(WaitReason::UnconfirmedDraft)
    } else if write.undoable {
        None
    } else if !write.may_write {
        Some(WaitReason::ModelMayNotWrite)
    } else if write.untrusted_text {
        Some(WaitReason::UntrustedText)
    } else if write.request == Request::Unclear {
        Some(WaitReason::NotNamed)
    } else {
        None
    }
}

/// True if the message contains the target as a separate word and is not a question.
pub fn names(message: &str, target: &str) -> bool {
    let target = target.trim().to_lowercase();
    !target.is_empty() && !is_question(message) && contains_word(&message.to_lowercase(), &target)
}

/// True if the message has a question mark in any script.
fn is_question(message: &str) -> bool {
    const GREEK: char = '\u{37e}';
    message.contains(['?', '？', '؟', '՞', GREEK])
}

/// True if the text contains this word or phrase on its own. Both are in lower case.
pub(crate) fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, found)| {
        let before = text[..at].chars().rev();
        let after = text[at + found.len()..].chars();
        !continues(before) && !continues(after)
    })
}

/// True if a word continues here, also across a joint: `GP-2026-0001-B` does not name
/// `GP-2026-0001`, and an address does not name its domain.
fn continues(mut rest: impl Iterator<Item = char>) -> bool {
    match rest.next() {
        Some('-' | '_' | '.' | '@') => rest.next().is_some_and(char::is_alphanumeric),
        next => next.is_some_and(char::is_alphanumeric),
    }
}

#[cfg(test)]
#[path = "consent_tests.rs"]
mod consent_tests;
