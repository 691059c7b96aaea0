//! Puts values into a phrase: `{name}` is a value, `[[du-Form|Sie-Form]]` follows the German address.

use crate::tata::domain::language::GermanAddress;

/// One pass: what a value contains is never read as a placeholder.
pub(crate) fn fill(template: &str, address: GermanAddress, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 32);
    fill_into(&mut out, template, address, values);
    out
}

fn fill_into(out: &mut String, template: &str, address: GermanAddress, values: &[(&str, &str)]) {
    let mut rest = template;
    while let Some(at) = rest.find(['{', '[']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((du, sie, after)) = choice(rest) {
            let form = match address {
                GermanAddress::Du => du,
                GermanAddress::Sie => sie,
            };
            fill_into(out, form, address, values);
            rest = after;
        } else if let Some((value, after)) = placeholder(rest, values) {
            out.push_str(value);
            rest = after;
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
}

fn choice(text: &str) -> Option<(&str, &str, &str)> {
    let (inner, after) = text.strip_prefix("[[")?.split_once("]]")?;
    let (du, sie) = inner.split_once('|')?;
    Some((du, sie, after))
}

fn placeholder<'v, 't>(text: &'t str, values: &[(&str, &'v str)]) -> Option<(&'v str, &'t str)> {
    let (name, after) = text.strip_prefix('{')?.split_once('}')?;
    let (_, value) = values.iter().find(|(known, _)| *known == name)?;
    Some((value, after))
}
