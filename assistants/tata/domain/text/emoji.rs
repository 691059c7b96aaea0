//! Recognises emoji without mistaking Chinese, Japanese or Korean text, digits or © for them.

use unicode_properties::UnicodeEmoji;
use unicode_properties::emoji::EmojiStatus;

/// Byte ranges of emoji in a text, a joined sequence (family, flag, skin tone) as one.
pub(crate) fn emoji(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, n)| *n);
        let end = at + c.len_utf8();
        match found.last_mut() {
            Some(last)
                if last.end == at
                    && (glues(c) || is_emoji(c, next) && text[..at].ends_with('\u{200d}')) =>
            {
                last.end = end;
            }
            Some(last)
                if last.end == at
                    && is_flag_half(c)
                    && is_single_flag_half(&text[last.clone()]) =>
            {
                last.end = end
            }
            _ if is_emoji(c, next) => found.push(at..end),
            _ => {}
        }
    }
    found
}

pub(crate) fn without_emoji(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for range in emoji(text) {
        out.push_str(&text[from..range.start]);
        from = range.end;
        // "Python🚀SQL" are two words.
        let next = text[from..].chars().next();
        let glued = !out.is_empty() && !out.ends_with(char::is_whitespace);
        if glued && next.is_some_and(|c| !c.is_whitespace() && !c.is_ascii_punctuation()) {
            out.push(' ');
        }
        // "Great 🚀 team" must not keep two spaces.
        if (out.is_empty() || out.ends_with(' ')) && text[from..].starts_with(' ') {
            from += 1;
        }
    }
    if from > 0 && from == text.len() {
        out.truncate(out.trim_end_matches(' ').len());
    }
    out.push_str(&text[from..]);
    out
}

fn is_emoji(c: char, next: Option<char>) -> bool {
    // Almost every character of a text is below this.
    if (c as u32) < 0xa9 {
        let key = c.is_ascii_digit() || matches!(c, '#' | '*');
        return key && matches!(next, Some('\u{20e3}' | '\u{fe0f}'));
    }
    let status = c.emoji_status();
    // Symbols such as ☎ and ✔ are pictures in practice; ©, ™ and ㊗ only when a selector asks for it.
    let picture = matches!(c as u32, 0x2600..=0x27bf | 0x1f000..) || next == Some('\u{fe0f}');
    let always = matches!(
        status,
        EmojiStatus::EmojiPresentation
            | EmojiStatus::EmojiPresentationAndModifierBase
            | EmojiStatus::EmojiPresentationAndEmojiComponent
            | EmojiStatus::EmojiPresentationAndModifierAndEmojiComponent
    );
    always || (c.is_emoji_char() && picture)
}

fn glues(c: char) -> bool {
    matches!(c, '\u{200d}' | '\u{fe0f}' | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
}

fn is_flag_half(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

fn is_single_flag_half(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(is_flag_half) && chars.next().is_none()
}
