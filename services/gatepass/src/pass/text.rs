//! What a person may write into a pass: plain, visible text of bounded length.

/// How long a name may be, in characters.
pub(crate) const NAME_MAX: usize = 200;
/// How long the description of a purpose may be, in characters.
pub(crate) const DESCRIPTION_MAX: usize = 2_000;

/// The rule that a text broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    Blank,
    TooLong { is: usize, max: usize },
    Control,
    Invisible,
}

/// The text without surrounding white space, or the first rule it breaks.
pub(crate) fn clean(text: &str, max: usize) -> Result<&str, Broken> {
    let text = text.trim();
    let is = text.chars().count();
    if is > max {
        return Err(Broken::TooLong { is, max });
    }
    if text.chars().any(char::is_control) {
        return Err(Broken::Control);
    }
    if text.chars().any(deceives) {
        return Err(Broken::Invisible);
    }
    if text.chars().all(|c| c.is_whitespace() || is_joiner(c)) {
        return Err(Broken::Blank);
    }
    Ok(text)
}

impl Broken {
    /// A stable name of the rule, for programs.
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            Broken::Blank => "required",
            Broken::TooLong { .. } => "max_length",
            Broken::Control => "no_control_characters",
            Broken::Invisible => "no_invisible_characters",
        }
    }

    /// The end of a sentence that begins with the field's name.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Broken::Blank => "must not be blank".to_owned(),
            Broken::TooLong { is, max } => {
                format!("must have at most {max} characters; it has {is}")
            }
            Broken::Control => {
                "must not contain control characters (line breaks, tabs, NUL …)".to_owned()
            }
            Broken::Invisible => {
                "must not contain invisible formatting characters (direction overrides, tags, byte order marks)"
                    .to_owned()
            }
        }
    }
}

/// Joiners are part of words in Urdu and Persian; alone they are nothing.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{200e}' | '\u{200f}')
}

/// Characters that nobody sees but that change what others read, on paper or in a prompt.
fn deceives(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
