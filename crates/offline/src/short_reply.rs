//! Whole messages with a fixed meaning: yes, no, cancel, try again, greetings.

use crate::lists;
use crate::text::normalized;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortReply {
    Yes,
    No,
    Cancel,
    Again,
    Greeting,
    Thanks,
    Help,
}

const LISTS: [(&str, ShortReply); 7] = [
    ("reply yes", ShortReply::Yes),
    ("reply no", ShortReply::No),
    ("reply cancel", ShortReply::Cancel),
    ("reply again", ShortReply::Again),
    ("reply greeting", ShortReply::Greeting),
    ("reply thanks", ShortReply::Thanks),
    ("reply help", ShortReply::Help),
];

impl ShortReply {
    /// The meaning of a whole message, in six languages.
    pub fn of(text: &str) -> Option<Self> {
        let text = normalized(text);
        let found = LISTS.iter().find(|(list, _)| lists::contains(list, &text));
        found.map(|(_, reply)| *reply)
    }
}

#[cfg(test)]
#[path = "short_reply_tests.rs"]
mod short_reply_tests;
