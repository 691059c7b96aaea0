//! Whole messages with a fixed meaning: yes, no, cancel, try again, greetings.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::normalized;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShortReply {
    Yes,
    No,
    Cancel,
    Again,
    Greeting,
    Thanks,
    Help,
}

static LIST: LazyLock<HashMap<String, ShortReply>> =
    LazyLock::new(|| parse(include_str!("short_replies.txt")));

impl ShortReply {
    pub(crate) fn of(text: &str) -> Option<Self> {
        LIST.get(&normalized(text)).copied()
    }
}

fn parse(list: &str) -> HashMap<String, ShortReply> {
    let mut replies = HashMap::new();
    let mut meaning = None;
    for line in list.lines().filter(|line| !line.is_empty()) {
        match line {
            "[yes]" => meaning = Some(ShortReply::Yes),
            "[no]" => meaning = Some(ShortReply::No),
            "[cancel]" => meaning = Some(ShortReply::Cancel),
            "[again]" => meaning = Some(ShortReply::Again),
            "[greeting]" => meaning = Some(ShortReply::Greeting),
            "[thanks]" => meaning = Some(ShortReply::Thanks),
            "[help]" => meaning = Some(ShortReply::Help),
            _ => {
                if let Some(meaning) = meaning {
                    replies.insert(line.to_owned(), meaning);
                }
            }
        }
    }
    replies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_messages_are_short_replies() {
        assert_eq!(ShortReply::of("Try again!"), Some(ShortReply::Again));
        assert_eq!(ShortReply::of("Nein, danke."), Some(ShortReply::No));
        assert_eq!(ShortReply::of("Что ты умеешь?"), Some(ShortReply::Help));
        assert_eq!(ShortReply::of("cancel the pass for John"), None);
        assert_eq!(ShortReply::of(""), None);
    }
}
