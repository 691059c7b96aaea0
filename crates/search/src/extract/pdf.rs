//! The text of a PDF, in drawing order. Each font decodes its codes by a Unicode map or a
//! standard encoding.

mod font;

use std::collections::HashMap;
use std::io::Read;
use std::time::{Duration, Instant};

use flate2::read::ZlibDecoder;
use hayro_syntax::content::UntypedIter;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::{Page, Resources};
use hayro_syntax::{LoadPdfError, Pdf};

use super::{Document, ExtractError, LARGEST_TEXT};
use font::Font;

/// Maximum nesting of form XObjects; real files stay far below.
const DEEPEST: usize = 8;
/// In thousandths of the font size. A larger gap in a line is a blank.
const BLANK: f32 = 180.0;
/// In bytes. Limits one decoded stream.
const LARGEST_STREAM: usize = 32 * 1024 * 1024;
/// In bytes. Limits all streams that the text of a file needs, each time it needs them.
const LARGEST_FILE: usize = 512 * 1024 * 1024;
/// A longer file is refused: it would keep a processor from everybody else's.
const LONGEST: Duration = Duration::from_secs(20);
/// Drawing instructions between looks at the clock.
const INSTRUCTIONS: usize = 4_096;

pub(super) fn document(bytes: &[u8]) -> Result<Document, ExtractError> {
    check_object_streams(bytes)?;
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => ExtractError::Encrypted,
        LoadPdfError::Invalid => ExtractError::Damaged("it is not a valid PDF".to_owned()),
    })?;
    let mut text = String::new();
    let mut pages = Vec::new();
    let mut budget = Budget::new();
    for page in pdf.pages().iter() {
        let mut writer = Writer::new(&mut budget);
        writer.draw_page(page)?;
        pages.push(text.len());
        text.push_str(font::without_hyphenation(&writer.text).trim());
        text.push_str("\n\n");
        if text.len() > LARGEST_TEXT {
            return Err(ExtractError::Bomb);
        }
    }
    let title = pdf
        .metadata()
        .title
        .as_ref()
        .map(|title| font::text_string(title))
        .unwrap_or_default();
    Ok(Document {
        title,
        text,
        pages,
        ..Document::default()
    })
}

/// Object and cross-reference streams are decoded while a file is opened, so their size is
/// checked before. They are found by their zlib header.
fn check_object_streams(bytes: &[u8]) -> Result<(), ExtractError> {
    const MARK: &[u8] = b"stream";
    let mut at = 0;
    let mut total = 0;
    while let Some(found) = bytes[at..]
        .windows(MARK.len())
        .position(|part| part == MARK)
    {
        let dictionary = &bytes[at..at + found];
        at += found + MARK.len();
        let data = &bytes[at..];
        let data = data.strip_prefix(b"\r").unwrap_or(data);
        let data = data.strip_prefix(b"\n").unwrap_or(data);
        let decoded_at_start = [b"ObjStm".as_slice(), b"XRef"]
            .iter()
            .any(|kind| dictionary.windows(kind.len()).any(|part| part == *kind));
        if decoded_at_start && data.first() == Some(&0x78) {
            total += inflated_size(data)?;
            if total > LARGEST_FILE {
                return Err(ExtractError::Bomb);
            }
        }
    }
    Ok(())
}

/// The size of a zlib stream, counted without keeping it.
fn inflated_size(data: &[u8]) -> Result<usize, ExtractError> {
    let mut decoder = ZlibDecoder::new(data).take(LARGEST_STREAM as u64 + 1);
    // A damaged stream ends early; the PDF reader decides what to do with it.
    let size = std::io::copy(&mut decoder, &mut std::io::sink());
    match size.map_or(0, |size| usize::try_from(size).unwrap_or(usize::MAX)) {
        size if size > LARGEST_STREAM => Err(ExtractError::Bomb),
        size => Ok(size),
    }
}

/// The bytes and the time that a file may still take.
struct Budget {
    bytes: usize,
    end: Instant,
}

impl Budget {
    fn new() -> Self {
        Self {
            bytes: LARGEST_FILE,
            end: Instant::now() + LONGEST,
        }
    }

    fn check_time(&self) -> Result<(), ExtractError> {
        match Instant::now() > self.end {
            true => Err(ExtractError::TooSlow),
            false => Ok(()),
        }
    }

    /// Decodes a stream within the limits. A damaged stream is empty.
    fn decode(&mut self, stream: &Stream<'_>) -> Result<Vec<u8>, ExtractError> {
        let raw = stream.raw_data();
        // The names of filters are public, their type is not.
        let filters: Vec<String> = stream
            .filters()
            .iter()
            .map(|filter| format!("{filter:?}"))
            .filter(|name| !name.starts_with("Ascii"))
            .collect();
        if filters == ["FlateDecode"] && stream.filters().len() == 1 {
            inflated_size(&raw)?;
        } else if filters.len() > 1 || !filters.is_empty() && raw.len() > LARGEST_STREAM / 1_000 {
            // Other methods pack at most a thousandfold; several in a row are an attack.
            return Err(ExtractError::Bomb);
        }
        let decoded = stream
            .decoded_data()
            .map_or_else(|_| Vec::new(), |data| data.into_owned());
        self.bytes = self
            .bytes
            .checked_sub(decoded.len().max(1))
            .ok_or(ExtractError::Bomb)?;
        Ok(decoded)
    }
}

struct Writer<'b> {
    budget: &'b mut Budget,
    text: String,
    fonts: HashMap<Vec<u8>, Option<Font>>,
    current: Option<Vec<u8>>,
    /// The height of the current line; a change starts a new line.
    line: f32,
    leading: f32,
}

impl<'b> Writer<'b> {
    fn new(budget: &'b mut Budget) -> Self {
        Self {
            budget,
            text: String::new(),
            fonts: HashMap::new(),
            current: None,
            line: 0.0,
            leading: 0.0,
        }
    }

    fn draw_page(&mut self, page: &Page<'_>) -> Result<(), ExtractError> {
        const CONTENTS: &str = "Contents";
        let mut streams: Vec<Stream<'_>> = Vec::new();
        if let Some(stream) = page.raw().get::<Stream<'_>>(CONTENTS) {
            streams.push(stream);
        } else if let Some(array) = page.raw().get::<Array<'_>>(CONTENTS) {
            streams.extend(array.iter::<Stream<'_>>());
        }
        let mut content = Vec::new();
        for stream in streams {
            content.extend(self.budget.decode(&stream)?);
            content.push(b'\n');
        }
        self.draw(&content, page.resources(), 0)
    }

    fn draw(
        &mut self,
        stream: &[u8],
        resources: &Resources<'_>,
        depth: usize,
    ) -> Result<(), ExtractError> {
        if depth > DEEPEST {
            return Ok(());
        }
        let mut instructions = UntypedIter::new(stream);
        let mut count = 0_usize;
        while let Some(instruction) = instructions.next() {
            if count.is_multiple_of(INSTRUCTIONS) {
                self.budget.check_time()?;
            }
            count += 1;
            if self.text.len() > LARGEST_TEXT {
                return Err(ExtractError::Bomb);
            }
            let operands: Vec<&Object<'_>> = instruction.operands().collect();
            let operator: &[u8] = instruction.operator;
            match operator {
                b"Tf" => self.choose(operands.first(), resources)?,
                b"Td" | b"TD" => self.move_line(number(operands.get(1))),
                b"Tm" => self.move_to(number(operands.get(5))),
                b"TL" => self.leading = number(operands.first()),
                b"T*" => self.new_line(),
                b"Tj" => self.show(operands.first()),
                b"'" => {
                    self.new_line();
                    self.show(operands.first());
                }
                b"\"" => {
                    self.new_line();
                    self.show(operands.get(2));
                }
                b"TJ" => self.show_all(operands.first()),
                b"ET" => self.blank(),
                b"Do" => self.drawing(operands.first(), resources, depth)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Draws a form XObject, which has its own fonts.
    fn drawing(
        &mut self,
        name: Option<&&Object<'_>>,
        resources: &Resources<'_>,
        depth: usize,
    ) -> Result<(), ExtractError> {
        let Some(Object::Name(name)) = name else {
            return Ok(());
        };
        let Some(form) = resources.get_x_object(name) else {
            return Ok(());
        };
        let is_form = form
            .dict()
            .get::<Name<'_>>("Subtype")
            .is_some_and(|kind| kind.as_ref() == b"Form");
        if !is_form {
            return Ok(());
        }
        let content = self.budget.decode(&form)?;
        let own = form.dict().get::<Dict<'_>>("Resources").map(Resources::new);
        let outer = std::mem::take(&mut self.fonts);
        let drawn = self.draw(&content, own.as_ref().unwrap_or(resources), depth + 1);
        self.fonts = outer;
        drawn
    }

    fn choose(
        &mut self,
        name: Option<&&Object<'_>>,
        resources: &Resources<'_>,
    ) -> Result<(), ExtractError> {
        let Some(Object::Name(name)) = name else {
            return Ok(());
        };
        let key = name.as_ref().to_vec();
        if !self.fonts.contains_key(&key) {
            self.budget.check_time()?;
            let font = match resources.get_font(name) {
                Some(font) => Some(Font::new(&font, self.budget)?),
                None => None,
            };
            self.fonts.insert(key.clone(), font);
        }
        self.current = Some(key);
        Ok(())
    }

    fn show(&mut self, string: Option<&&Object<'_>>) {
        if let Some(Object::String(string)) = string {
            self.show_bytes(string.as_bytes());
        }
    }

    fn show_all(&mut self, pieces: Option<&&Object<'_>>) {
        let Some(Object::Array(pieces)) = pieces else {
            return;
        };
        for piece in pieces.iter::<Object<'_>>() {
            if let Object::String(string) = piece {
                self.show_bytes(string.as_bytes());
            } else if let Object::Number(gap) = piece
                && gap.as_f32() < -BLANK
            {
                self.blank();
            }
        }
    }

    fn show_bytes(&mut self, bytes: &[u8]) {
        let font = self.current.as_ref().and_then(|key| self.fonts.get(key));
        match font {
            Some(Some(font)) => font.decode(bytes, &mut self.text),
            Some(None) | None => font::standard(bytes, &mut self.text),
        }
    }

    fn move_line(&mut self, down: f32) {
        if down.abs() > 0.01 {
            self.line += down;
            self.break_line(down);
        } else {
            self.blank();
        }
    }

    fn move_to(&mut self, height: f32) {
        let down = height - self.line;
        self.line = height;
        if down.abs() > 0.01 {
            self.break_line(down);
        } else {
            self.blank();
        }
    }

    /// A large step down starts a paragraph.
    fn break_line(&mut self, down: f32) {
        let paragraph = down.abs() > 1.9 * self.leading.max(11.0);
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        if paragraph && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn new_line(&mut self) {
        self.line -= self.leading;
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }
}

fn number(object: Option<&&Object<'_>>) -> f32 {
    match object {
        Some(Object::Number(number)) => number.as_f32(),
        Some(_) | None => 0.0,
    }
}
