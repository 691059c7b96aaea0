//! German job titles address all genders: by (m/w/d) or by a form such as Entwickler:in.

/// The title carries a mark for all genders.
pub fn has_gender_mark(title: &str) -> bool {
    let lower = title.to_lowercase();
    has_bracket(&lower) || has_suffix(title)
}

/// The title with (m/w/d) if it has no mark.
pub fn with_gender_mark(title: &str) -> String {
    if has_gender_mark(title) {
        title.to_owned()
    } else {
        format!("{title} (m/w/d)")
    }
}

/// (m/w/d) in any order and with the usual variants, also (all genders).
fn has_bracket(lower: &str) -> bool {
    lower
        .split('(')
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .any(|(inner, _)| {
            let parts: Vec<&str> = inner.split(['/', '|', ',', '-']).map(str::trim).collect();
            let letters = parts
                .iter()
                .all(|p| matches!(*p, "m" | "w" | "d" | "f" | "x" | "i" | "divers" | "gn"));
            let three = parts.len() >= 3 && letters && parts.contains(&"m");
            three || matches!(inner.trim(), "gn" | "all genders" | "alle geschlechter")
        })
}

/// Entwickler:in, Entwickler*in, Entwickler_in and their plural.
fn has_suffix(title: &str) -> bool {
    [":in", "*in", "_in"].iter().any(|mark| {
        title.match_indices(mark).any(|(at, _)| {
            let before = title[..at].ends_with(char::is_alphabetic);
            let after = &title[at + mark.len()..];
            let ends = |s: &str| !s.starts_with(char::is_alphabetic);
            before && (ends(after) || after.strip_prefix("nen").is_some_and(ends))
        })
    })
}
