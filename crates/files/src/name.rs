//! File names for display. They are never used as paths.

use crate::upload::Kind;

const LONGEST_STEM: usize = 80;
const NAMELESS: &str = "file";

/// Sanitises a client's file name: one line, no folders, no invisible characters, and an
/// extension that fits the kind.
pub fn shown_name(given: Option<&str>, kind: Kind) -> String {
    let given = given.unwrap_or_default();
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean: String = last.chars().filter(|c| is_shown(*c)).collect();
    let clean = clean.trim().trim_matches('.');
    let (stem, ending) = match clean.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, ending.to_ascii_lowercase()),
        Some(_) | None => (clean, String::new()),
    };
    let usual = kind.endings().first().copied().unwrap_or("bin");
    let known = kind.endings().iter().find(|known| **known == ending);
    let stem: String = stem.trim().chars().take(LONGEST_STEM).collect();
    let stem = if stem.is_empty() { NAMELESS } else { &stem };
    format!("{stem}.{}", known.copied().unwrap_or(usual))
}

/// False for control characters, bidi and invisible marks, and the brackets that mark files
/// for a model.
fn is_shown(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
        && !matches!(c, '[' | ']' | '<' | '>' | '"' | '|' | '*' | '?' | ':')
}

#[cfg(test)]
#[path = "name_tests.rs"]
mod name_tests;
