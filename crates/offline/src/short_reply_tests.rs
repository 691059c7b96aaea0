//! Tests of `short_reply`.

use super::*;

#[test]
fn only_whole_messages_are_short_replies() {
    assert_eq!(ShortReply::of("Try again!"), Some(ShortReply::Again));
    assert_eq!(ShortReply::of("Nein, danke."), Some(ShortReply::No));
    assert_eq!(ShortReply::of("Что ты умеешь?"), Some(ShortReply::Help));
    assert_eq!(ShortReply::of("cancel the pass for John"), None);
    assert_eq!(ShortReply::of(""), None);
}
