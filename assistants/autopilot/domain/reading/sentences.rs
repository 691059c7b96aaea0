//! Splits a message into sentences.

pub(super) struct Sentence<'m> {
    pub(super) text: &'m str,
    pub(super) lower: String,
    pub(super) is_question: bool,
}

/// Sentences in their order. A point between digits or after an abbreviation ends none.
pub(super) fn sentences(message: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = message.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '\n' | ';' => true,
            '.' if is_abbreviation(message.get(..at).unwrap_or_default()) => next.is_none(),
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            push(
                &mut found,
                message.get(start..=at).unwrap_or_default(),
                c == '?',
            );
            start = at + c.len_utf8();
        }
    }
    push(&mut found, message.get(start..).unwrap_or_default(), false);
    found
}

fn is_abbreviation(before: &str) -> bool {
    const KNOWN: [&str; 21] = [
        "incl", "excl", "approx", "ca", "e.g", "i.e", "sq", "ft", "etc", "vs", "avg", "max", "min",
        "no", "mr", "mrs", "ms", "dr", "prof", "st", "ste",
    ];
    let word = before
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next();
    word.is_some_and(|word| KNOWN.contains(&word.to_lowercase().as_str()))
}

fn push<'m>(found: &mut Vec<Sentence<'m>>, text: &'m str, is_question: bool) {
    let text = text.trim();
    if text.chars().any(char::is_alphanumeric) {
        found.push(Sentence {
            text,
            lower: text.to_lowercase(),
            is_question,
        });
    }
}
