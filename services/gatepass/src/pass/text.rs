//! Text rules of a pass: plain, visible text of bounded length.

/// In characters.
pub(crate) const NAME_MAX: usize = 200;
/// In characters.
pub(crate) const DESCRIPTION_MAX: usize = 2_000;

/// A violated rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextViolation {
    Blank,
    TooLong { is: usize, max: usize },
    Control,
    Invisible,
}

/// The trimmed text, or the first rule it violates.
pub(crate) fn clean(text: &str, max: usize) -> Result<&str, TextViolation> {
    let text = text.trim();
    let is = text.chars().count();
    if is > max {
        return Err(TextViolation::TooLong { is, max });
    }
    if text.chars().any(char::is_control) {
        return Err(TextViolation::Control);
    }
    if text.chars().any(deceives) {
        return Err(TextViolation::Invisible);
    }
    if text.chars().all(|c| c.is_whitespace() || is_joiner(c)) {
        return Err(TextViolation::Blank);
    }
    Ok(text)
}

impl TextViolation {
    /// The rule's stable name, for programs.
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            TextViolation::Blank => "required",
            TextViolation::TooLong { .. } => "max_length",
            TextViolation::Control => "no_control_characters",
            TextViolation::Invisible => "no_invisible_characters",
        }
    }

    /// The end of a sentence that starts with the field's name.
    pub(crate) fn sentence(&self) -> String {
        match self {
            TextViolation::Blank => "must not be blank".to_owned(),
            TextViolation::TooLong { is, max } => {
                format!("must have at most {max} characters; it has {is}")
            }
            TextViolation::Control => {
                "must not contain control characters (line breaks, tabs, NUL …)".to_owned()
            }
            TextViolation::Invisible => {
                "must not contain invisible formatting characters (direction overrides, tags, byte order marks)"
                    .to_owned()
            }
        }
    }
}

/// Joiners are part of words in Urdu and Persian, but not a text by themselves.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{200e}' | '\u{200f}')
}

/// Invisible characters that change how a text reads, on paper or in a prompt.
fn deceives(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
