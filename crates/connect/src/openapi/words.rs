//! Splits identifiers, paths and sentences into lower-case words.

/// `cancelOrder`, `cancel-order`, `CANCEL_ORDER` and `orders/{id}/cancel` into words. An acronym
/// stays one word: `getURLById` has `url`.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            flush(&mut words, &mut word);
            continue;
        }
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after_lower = before.is_some_and(|c| c.is_lowercase() || c.is_numeric());
        let ends_acronym = before.is_some_and(char::is_uppercase)
            && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after_lower || ends_acronym) {
            flush(&mut words, &mut word);
        }
        word.extend(c.to_lowercase());
    }
    flush(&mut words, &mut word);
    words
}

fn flush(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// The text with a capital letter at its beginning.
pub(crate) fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}

/// The path's segments without parameters and without `api` and version segments.
pub(crate) fn literal_segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
        .filter(|segment| !segment.is_empty() && !segment.contains('{'))
        .filter(|segment| !is_version(segment) && *segment != "api")
}

fn is_version(segment: &str) -> bool {
    let rest = segment.strip_prefix(['v', 'V']);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// At most `limit` characters, cut at the end of a sentence or else of a word.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= limit {
        return text;
    }
    let cut: String = text.chars().take(limit.saturating_sub(1)).collect();
    let sentence = cut.rfind(". ").filter(|end| *end * 3 > cut.len());
    match (sentence, cut.rfind(' ')) {
        (Some(end), _) => cut[..=end].to_owned(),
        (None, Some(end)) => format!("{}…", cut[..end].trim_end_matches([',', ';', ':', ' '])),
        (None, None) => format!("{cut}…"),
    }
}

/// Descriptions are Markdown, often with HTML: keeps the text of links, drops tags and marks.
pub(crate) fn plain_text(text: &str) -> String {
    let (clean, _) = frontdesk_core::untrusted::clean(text);
    let mut plain = String::with_capacity(clean.len());
    let mut rest = clean.as_str();
    while let Some(at) = rest.find(['<', '[', '`', '*', '#']) {
        plain.push_str(&rest[..at]);
        let marked = &rest[at..];
        rest = match marked.as_bytes().first() {
            Some(b'<')
                if marked[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') =>
            {
                marked.find('>').map_or("", |end| {
                    plain.push(' ');
                    &marked[end + 1..]
                })
            }
            Some(b'[') => match link(marked) {
                Some((label, after)) => {
                    plain.push_str(label);
                    after
                }
                None => keep_first(&mut plain, marked),
            },
            Some(b'`' | b'*' | b'#') => &marked[1..],
            _ => keep_first(&mut plain, marked),
        };
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The label of `[label](address)` and the text after it.
fn link(text: &str) -> Option<(&str, &str)> {
    let (label, after) = text.strip_prefix('[')?.split_once("](")?;
    let (_, rest) = after.split_once(')')?;
    (!label.contains('[')).then_some((label, rest))
}

/// Keeps one character of the text and returns the rest.
fn keep_first<'a>(plain: &mut String, text: &'a str) -> &'a str {
    let mut chars = text.chars();
    plain.extend(chars.next());
    chars.as_str()
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod words_tests;
