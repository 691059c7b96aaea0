//! Normalises texts that differ only in case, spaces, quotation marks and dashes.

/// Lower case, single spaces, plain dashes, no quotation marks and no Markdown emphasis.
pub fn normalise(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = true;
            continue;
        }
        if is_mark(c) || crate::untrusted::is_invisible(c) {
            continue;
        }
        if std::mem::take(&mut space) && !normal.is_empty() {
            normal.push(' ');
        }
        match c {
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => normal.push('-'),
            '…' => normal.push_str("..."),
            _ => normal.extend(c.to_lowercase()),
        }
    }
    normal
}

fn is_mark(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '`'
            | '´'
            | '*'
            | '_'
            | '“'
            | '”'
            | '„'
            | '‟'
            | '‘'
            | '’'
            | '‚'
            | '‛'
            | '«'
            | '»'
            | '‹'
            | '›'
    )
}
