//! Detects whether a line starts a JSON reply, bare or in a code fence, or is plain text.

/// Maximum length of a fence's first line or of a first key.
const LONGEST_CHARS: usize = 120;
/// Maximum number of blank bytes held back.
const MOST_BLANK: usize = 1_000;
const FENCE: &str = "```";
/// Info strings that mark JSON.
const KINDS: [&str; 4] = ["", "json", "jsonc", "json5"];

/// The position of a line in the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    Later,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Undecided.
    Open,
    Words,
    /// An object starts at this byte.
    Object(usize),
}

/// Classifies `line`, the text since the start of the line. At the start of a reply every object
/// counts; later only one whose first key is a property of the schema.
pub(super) fn judge(line: &str, place: Place, names: &[String]) -> Verdict {
    let rest = trimmed(line);
    let body = match rest.strip_prefix(FENCE) {
        Some(fenced) => match fenced.split_once('\n') {
            Some((kind, body)) if is_json(kind) => trimmed(body),
            Some(_) => return Verdict::Words,
            None => return undecided(fenced),
        },
        None if FENCE.starts_with(rest) => return Verdict::Open,
        None => rest,
    };
    if body.is_empty() {
        return match line.len() {
            ..MOST_BLANK => Verdict::Open,
            _ => Verdict::Words,
        };
    }
    let Some(inside) = body.strip_prefix('{') else {
        return Verdict::Words;
    };
    let object = Verdict::Object(line.len() - body.len());
    if place == Place::Start && trimmed(inside).starts_with(['"', '\'', '}']) {
        return object;
    }
    match first_key(inside) {
        Key::Open => undecided(inside),
        Key::Known(name) if names.iter().any(|known| known == name) => object,
        Key::Known(_) | Key::Not => Verdict::Words,
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}')
}

fn is_json(kind: &str) -> bool {
    let kind = kind.trim().to_ascii_lowercase();
    KINDS.contains(&kind.as_str())
}

fn undecided(text: &str) -> Verdict {
    match text.chars().nth(LONGEST_CHARS) {
        Some(_) => Verdict::Words,
        None => Verdict::Open,
    }
}

enum Key<'a> {
    /// Undecided.
    Open,
    Known(&'a str),
    /// No key can start like this.
    Not,
}

fn first_key(inside: &str) -> Key<'_> {
    let rest = trimmed(inside);
    let Some(first) = rest.chars().next() else {
        return Key::Open;
    };
    match first {
        '"' | '\'' => match rest[1..].split_once(first) {
            Some((name, _)) => Key::Known(name),
            None => Key::Open,
        },
        letter if letter.is_ascii_alphabetic() => {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            match end.map(|end| (&rest[..end], trimmed(&rest[end..]))) {
                None | Some((_, "")) => Key::Open,
                Some((name, after)) if after.starts_with(':') => Key::Known(name),
                Some(_) => Key::Not,
            }
        }
        _ => Key::Not,
    }
}
