//! Reads the XML of office documents and books as events of names, attributes and text.
//! Entities that a document defines are never expanded.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::ExtractError;

pub(super) enum Piece<'a> {
    Open(&'a BytesStart<'a>),
    Close(&'a [u8]),
    Text(&'a str),
}

/// Calls `each` with the pieces of a document, by local names.
pub(super) fn read(
    xml: &[u8],
    mut each: impl FnMut(Piece<'_>) -> Result<(), ExtractError>,
) -> Result<(), ExtractError> {
    let mut reader = Reader::from_reader(xml);
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => each(Piece::Open(&tag))?,
            Ok(Event::Empty(tag)) => {
                each(Piece::Open(&tag))?;
                each(Piece::Close(tag.local_name().as_ref()))?;
            }
            Ok(Event::End(tag)) => each(Piece::Close(tag.local_name().as_ref()))?,
            Ok(Event::Text(text)) => each(Piece::Text(&text.decode().map_err(damaged)?))?,
            Ok(Event::GeneralRef(name)) => {
                if let Some(c) = character(&name) {
                    each(Piece::Text(c.encode_utf8(&mut [0; 4])))?;
                }
            }
            Ok(Event::Eof) => return Ok(()),
            Ok(
                Event::CData(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_),
            ) => {}
            Err(error) => return Err(damaged(error)),
        }
    }
}

fn damaged(error: impl ToString) -> ExtractError {
    ExtractError::Damaged(error.to_string())
}

/// Numeric references and the five names that XML defines.
fn character(name: &BytesRef<'_>) -> Option<char> {
    let bytes: &[u8] = name;
    match bytes {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        _ => name
            .resolve_char_ref()
            .ok()?
            .filter(|c| matches!(c, '\n' | '\t') || !c.is_control()),
    }
}

/// The value of an attribute by its local name; empty if it is missing.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> String {
    tag.attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)
        .map(|attribute| String::from_utf8_lossy(&attribute.value).into_owned())
        .unwrap_or_default()
}
