//! Decodes the codes of a PDF font: by its Unicode map first, then by glyph names, then as
//! Windows-1252.

use std::collections::HashMap;

use encoding_rs::{UTF_16BE, WINDOWS_1252};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};

use unicode_normalization::UnicodeNormalization;

use super::{Budget, ExtractError};

/// Limits the map to the codes that fit in two bytes.
const MOST_CODES: usize = 65_536;

pub(super) struct Font {
    /// True for composite fonts, whose codes have two bytes.
    wide: bool,
    to_unicode: HashMap<u32, String>,
    /// Codes that the font's own encoding redefines.
    differences: HashMap<u8, String>,
}

impl Font {
    pub(super) fn new(font: &Dict<'_>, budget: &mut Budget) -> Result<Self, ExtractError> {
        let composite = font
            .get::<Name<'_>>("Subtype")
            .is_some_and(|kind| kind.as_ref() == b"Type0");
        let to_unicode = match font.get::<Stream<'_>>("ToUnicode") {
            Some(stream) => cmap(&budget.decode(&stream)?),
            None => HashMap::new(),
        };
        let differences = font
            .get::<Dict<'_>>("Encoding")
            .and_then(|encoding| encoding.get::<Array<'_>>("Differences"))
            .map(|array| differences(&array))
            .unwrap_or_default();
        Ok(Self {
            wide: composite,
            to_unicode,
            differences,
        })
    }

    pub(super) fn decode(&self, bytes: &[u8], text: &mut String) {
        if self.wide {
            for code in bytes.chunks(2) {
                let code = code
                    .iter()
                    .fold(0, |code, byte| code << 8 | u32::from(*byte));
                if let Some(meaning) = self.to_unicode.get(&code) {
                    text.push_str(meaning);
                }
            }
            return;
        }
        for byte in bytes {
            if let Some(meaning) = self.to_unicode.get(&u32::from(*byte)) {
                text.push_str(meaning);
            } else if let Some(meaning) = self.differences.get(byte) {
                text.push_str(meaning);
            } else {
                standard(&[*byte], text);
            }
        }
    }
}

pub(super) fn standard(bytes: &[u8], text: &mut String) {
    let (decoded, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    text.extend(decoded.chars().filter(|c| !c.is_control()));
}

/// Decodes a string of the document's properties.
pub(super) fn text_string(bytes: &[u8]) -> String {
    match bytes.strip_prefix(b"\xfe\xff") {
        Some(wide) => UTF_16BE.decode(wide).0.trim().to_owned(),
        None => String::from_utf8_lossy(bytes).trim().to_owned(),
    }
}

/// Joins words that were hyphenated at the end of a line.
pub(super) fn without_hyphenation(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("-\n") {
        let letter_before = rest[..at]
            .chars()
            .next_back()
            .is_some_and(char::is_alphabetic);
        let letter_after = rest[at + 2..]
            .chars()
            .next()
            .is_some_and(char::is_lowercase);
        joined.push_str(&rest[..at]);
        if !(letter_before && letter_after) {
            joined.push_str("-\n");
        }
        rest = &rest[at + 2..];
    }
    joined.push_str(rest);
    joined
}

/// Parses `bfchar` and `bfrange` entries of a Unicode map.
fn cmap(source: &[u8]) -> HashMap<u32, String> {
    let source = String::from_utf8_lossy(source);
    let mut map = HashMap::new();
    for section in source.split("beginbfchar").skip(1) {
        let body = section.split("endbfchar").next().unwrap_or_default();
        for pair in hex_words(body).chunks_exact(2) {
            map.insert(code(&pair[0]), meaning(&pair[1]));
        }
    }
    for section in source.split("beginbfrange").skip(1) {
        let body = section.split("endbfrange").next().unwrap_or_default();
        for line in body.split_inclusive(['\n', '\r', ']']) {
            range(line, &mut map);
        }
    }
    map
}

/// `<from> <to> <first>` or `<from> <to> [<one> <two> …]`.
fn range(line: &str, map: &mut HashMap<u32, String>) {
    let words = hex_words(line);
    if line.contains('[') {
        let Some((bounds, meanings)) = words.split_at_checked(2) else {
            return;
        };
        for (code, word) in (code(&bounds[0])..).zip(meanings) {
            map.insert(code, meaning(word));
        }
        return;
    }
    for three in words.chunks_exact(3) {
        let (from, to) = (code(&three[0]), code(&three[1]));
        let Some(first) = meaning(&three[2]).chars().next().map(u32::from) else {
            continue;
        };
        for (step, code) in (from..=to).take(MOST_CODES).enumerate() {
            let meaning = u32::try_from(step)
                .ok()
                .and_then(|step| char::from_u32(first.checked_add(step)?));
            if let Some(meaning) = meaning.filter(|_| map.len() < MOST_CODES) {
                map.insert(code, meaning.to_string());
            }
        }
    }
}

fn hex_words(text: &str) -> Vec<Vec<u8>> {
    text.split('<')
        .skip(1)
        .filter_map(|rest| rest.split_once('>'))
        .map(|(hex, _)| {
            let digits: Vec<u8> = hex
                .chars()
                .filter_map(|c| c.to_digit(16))
                .filter_map(|digit| u8::try_from(digit).ok())
                .collect();
            digits
                .chunks(2)
                .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
                .collect()
        })
        .collect()
}

fn code(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .take(4)
        .fold(0, |code, byte| code << 8 | u32::from(*byte))
}

fn meaning(bytes: &[u8]) -> String {
    UTF_16BE.decode_without_bom_handling(bytes).0.into_owned()
}

/// `[65 /A /eacute 200 /endash]`: glyph names, each run starting at a code.
fn differences(array: &Array<'_>) -> HashMap<u8, String> {
    let mut found = HashMap::new();
    let mut code = 0_u8;
    for item in array.iter::<Object<'_>>() {
        if let Object::Number(number) = item {
            code = number.as_i64().clamp(0, 255) as u8;
        } else if let Object::Name(name) = item {
            if let Some(sign) = named(name.as_str()) {
                found.insert(code, sign);
            }
            code = code.wrapping_add(1);
        }
    }
    found
}

/// Decodes a PostScript glyph name: a letter, a name shared with HTML, or `uni20AC`.
fn named(name: &str) -> Option<String> {
    const SIGNS: &[(&str, &str)] = &[
        ("space", " "),
        ("period", "."),
        ("comma", ","),
        ("hyphen", "-"),
        ("minus", "-"),
        ("colon", ":"),
        ("semicolon", ";"),
        ("slash", "/"),
        ("parenleft", "("),
        ("parenright", ")"),
        ("bracketleft", "["),
        ("bracketright", "]"),
        ("quotesingle", "'"),
        ("quoteright", "’"),
        ("quoteleft", "‘"),
        ("quotedblleft", "“"),
        ("quotedblright", "”"),
        ("endash", "–"),
        ("emdash", "—"),
        ("bullet", "•"),
        ("fi", "fi"),
        ("fl", "fl"),
        ("ff", "ff"),
        ("ffi", "ffi"),
        ("ffl", "ffl"),
        ("question", "?"),
        ("exclam", "!"),
        ("percent", "%"),
        ("plus", "+"),
        ("equal", "="),
        ("underscore", "_"),
        ("at", "@"),
        ("numbersign", "#"),
        ("dollar", "$"),
        ("ampersand", "&"),
        ("asterisk", "*"),
        ("zero", "0"),
        ("one", "1"),
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("germandbls", "ß"),
        ("adieresis", "ä"),
        ("odieresis", "ö"),
        ("udieresis", "ü"),
        ("Adieresis", "Ä"),
        ("Odieresis", "Ö"),
        ("Udieresis", "Ü"),
        ("Euro", "€"),
        ("ellipsis", "…"),
    ];
    if name.len() == 1 {
        return Some(name.to_owned());
    }
    if let Some(hex) = name.strip_prefix("uni") {
        return u32::from_str_radix(hex, 16)
            .ok()
            .and_then(char::from_u32)
            .map(String::from);
    }
    SIGNS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, sign)| (*sign).to_owned())
        .or_else(|| accented(name))
}

/// Names such as `eacute` and `Ccaron`: a letter and its accent.
fn accented(name: &str) -> Option<String> {
    const ACCENTS: &[(&str, char)] = &[
        ("grave", '\u{300}'),
        ("acute", '\u{301}'),
        ("circumflex", '\u{302}'),
        ("tilde", '\u{303}'),
        ("dieresis", '\u{308}'),
        ("ring", '\u{30a}'),
        ("caron", '\u{30c}'),
        ("cedilla", '\u{327}'),
    ];
    let letter = name.chars().next()?;
    let (_, accent) = ACCENTS
        .iter()
        .find(|(known, _)| &name[letter.len_utf8()..] == *known)?;
    Some([letter, *accent].into_iter().nfc().collect())
}
