//! Character references: numeric ones, and the named ones in common use.

use std::borrow::Cow;

/// The longest supported name.
const LONGEST: usize = 10;

const NAMED: &[(&str, &str)] = &[
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("nbsp", " "),
    ("ndash", "–"),
    ("mdash", "—"),
    ("hellip", "…"),
    ("copy", "©"),
    ("reg", "®"),
    ("trade", "™"),
    ("laquo", "«"),
    ("raquo", "»"),
    ("lsquo", "‘"),
    ("rsquo", "’"),
    ("ldquo", "“"),
    ("rdquo", "”"),
    ("bdquo", "„"),
    ("sbquo", "‚"),
    ("bull", "•"),
    ("middot", "·"),
    ("times", "×"),
    ("deg", "°"),
    ("euro", "€"),
    ("pound", "£"),
    ("sect", "§"),
    ("para", "¶"),
    ("larr", "←"),
    ("rarr", "→"),
    ("uarr", "↑"),
    ("darr", "↓"),
    ("le", "≤"),
    ("ge", "≥"),
    ("ne", "≠"),
    ("shy", ""),
    ("zwnj", ""),
    ("zwj", ""),
    ("ensp", " "),
    ("emsp", " "),
    ("thinsp", " "),
    ("auml", "ä"),
    ("ouml", "ö"),
    ("uuml", "ü"),
    ("Auml", "Ä"),
    ("Ouml", "Ö"),
    ("Uuml", "Ü"),
    ("szlig", "ß"),
    ("eacute", "é"),
    ("Eacute", "É"),
    ("egrave", "è"),
    ("ecirc", "ê"),
    ("agrave", "à"),
    ("aacute", "á"),
    ("acirc", "â"),
    ("aring", "å"),
    ("Aring", "Å"),
    ("aelig", "æ"),
    ("oslash", "ø"),
    ("ccedil", "ç"),
    ("iacute", "í"),
    ("oacute", "ó"),
    ("ocirc", "ô"),
    ("uacute", "ú"),
    ("ntilde", "ñ"),
    ("check", "✓"),
];

/// Decodes a reference, given without `&` and `;`.
pub(in crate::extract) fn entity(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        let c = char::from_u32(code).filter(|c| *c == '\n' || *c == '\t' || !c.is_control())?;
        return Some(c.to_string());
    }
    NAMED
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, text)| (*text).to_owned())
}

pub(super) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let window = &after[..after.floor_char_boundary(LONGEST)];
        let found = window
            .find(';')
            .and_then(|end| entity(&window[..end]).map(|text| (text, end + 1)));
        match found {
            Some((text, length)) => {
                decoded.push_str(&text);
                rest = &after[length..];
            }
            None => {
                decoded.push('&');
                rest = after;
            }
        }
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}
