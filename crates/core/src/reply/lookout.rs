//! Tells whether a line that has begun is the beginning of a reply in JSON, bare or in a
//! code fence, or words like any others.

/// As far as a fence's first line or a first key is read before it is words after all.
const LONGEST_CHARS: usize = 120;
/// Blank bytes that are held back at most.
const MOST_BLANK: usize = 1_000;
const FENCE: &str = "```";
/// What models call JSON at the top of a fence.
const KINDS: [&str; 4] = ["", "json", "jsonc", "json5"];

/// Where in the reply a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing was said before it.
    Start,
    Later,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It may become either.
    Open,
    Words,
    /// An object begins at this byte.
    Object(usize),
}

/// Whether `line`, everything from the line's beginning on, is a reply. At the start of a
/// reply any object is one; later, only one whose first key is a property of the schema.
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
    /// Not yet to be seen.
    Open,
    Known(&'a str),
    /// No key can begin like this.
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
