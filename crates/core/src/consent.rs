//! Decides when a write waits for a person. One rule for every assistant and every model.
//!
//! Text that others wrote can contain instructions to the model. A write therefore runs without
//! approval only if nothing but the person's current message can have requested it.

/// How the person's current message requests a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// It names the write's target literally and is not a question.
    NamesTarget,
    /// The tool has no target, nothing but the person's own words is in the model's context, and
    /// the message is not a question.
    OnlyTheirWords,
    /// The target occurs elsewhere, in a question, or nowhere.
    Unclear,
}

/// The inputs of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The tool deletes, decides about people or cannot be undone: `approval` or `destructive` in
    /// its spec.
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
    let named = || contains_word(&message.to_lowercase(), &target, JOINTS_OF_ORDERS);
    !target.is_empty() && !is_question(message) && named()
}

/// True if the message has a question mark in any script.
pub(crate) fn is_question(message: &str) -> bool {
    const GREEK: char = '\u{37e}';
    message.contains(['?', '？', '؟', '՞', GREEK])
}

/// True if the text contains this word or phrase on its own. Both are in lower case.
pub(crate) fn contains_word(text: &str, word: &str, joints: &str) -> bool {
    text.match_indices(word).any(|(at, found)| {
        let before = text[..at].chars().rev();
        let after = text[at + found.len()..].chars();
        !continues(before, joints) && !continues(after, joints)
    })
}

/// Joints that make a longer name: `GP-2026-0001` is not `GP-2026-0001-B`, nor a domain an address
/// in it.
pub(crate) const JOINTS: &str = "-_.@";

/// Joints over which an order does not name its target: not in `GP-2026-0001/2`, 12 not in 12,5.
const JOINTS_OF_ORDERS: &str = "-_.@/\\:+#=&,";

/// True if a word continues here, also across joints.
fn continues(rest: impl Iterator<Item = char>, joints: &str) -> bool {
    let mut rest = rest.peekable();
    while rest
        .next_if(|c| joints.contains(*c) || is_dash(*c))
        .is_some()
    {}
    rest.next()
        .is_some_and(|c| c.is_alphanumeric() || is_mark(c))
}

/// Hyphens and dashes that look like the one in a number.
fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Combining marks and joiners, which make another letter or word of the one before them.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
#[path = "consent_tests.rs"]
mod consent_tests;
