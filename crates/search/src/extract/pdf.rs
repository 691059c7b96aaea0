//! The text of a PDF, in drawing order. Each font decodes its codes by a Unicode map or a
//! standard encoding.

mod font;

use std::collections::HashMap;

use hayro_syntax::content::UntypedIter;
use hayro_syntax::object::{Dict, Name, Object, Stream};
use hayro_syntax::page::Resources;
use hayro_syntax::{LoadPdfError, Pdf};

use super::{Document, ExtractError, LARGEST_TEXT, Links};
use font::Font;

/// Maximum nesting of form XObjects; real files stay far below.
const DEEPEST: usize = 8;
/// In thousandths of the font size. A larger gap in a line is a blank.
const BLANK: f32 = 180.0;

pub(super) fn document(bytes: &[u8]) -> Result<Document, ExtractError> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => ExtractError::Encrypted,
        LoadPdfError::Invalid => ExtractError::Damaged("it is not a valid PDF".to_owned()),
    })?;
    let mut text = String::new();
    for page in pdf.pages().iter() {
        let mut writer = Writer::default();
        if let Some(stream) = page.page_stream() {
            writer.draw(stream, page.resources(), 0);
        }
        text.push_str(writer.text.trim());
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
        text: font::without_hyphenation(&text),
        links: Links::default(),
    })
}

#[derive(Default)]
struct Writer {
    text: String,
    fonts: HashMap<Vec<u8>, Option<Font>>,
    current: Option<Vec<u8>>,
    /// The height of the current line; a change starts a new line.
    line: f32,
    leading: f32,
}

impl Writer {
    fn draw(&mut self, stream: &[u8], resources: &Resources<'_>, depth: usize) {
        if depth > DEEPEST || self.text.len() > LARGEST_TEXT {
            return;
        }
        let mut instructions = UntypedIter::new(stream);
        while let Some(instruction) = instructions.next() {
            let operands: Vec<&Object<'_>> = instruction.operands().collect();
            let operator: &[u8] = instruction.operator;
            match operator {
                b"Tf" => self.choose(operands.first(), resources),
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
                b"Do" => self.drawing(operands.first(), resources, depth),
                _ => {}
            }
        }
    }

    /// Draws a form XObject, which has its own fonts.
    fn drawing(&mut self, name: Option<&&Object<'_>>, resources: &Resources<'_>, depth: usize) {
        let Some(Object::Name(name)) = name else {
            return;
        };
        let Some(form) = resources.get_x_object(name) else {
            return;
        };
        let is_form = form
            .dict()
            .get::<Name<'_>>("Subtype")
            .is_some_and(|kind| kind.as_ref() == b"Form");
        if !is_form {
            return;
        }
        if let Ok(content) = form.decoded() {
            let own = form.dict().get::<Dict<'_>>("Resources").map(Resources::new);
            let outer = std::mem::take(&mut self.fonts);
            self.draw(&content, own.as_ref().unwrap_or(resources), depth + 1);
            self.fonts = outer;
        }
    }

    fn choose(&mut self, name: Option<&&Object<'_>>, resources: &Resources<'_>) {
        let Some(Object::Name(name)) = name else {
            return;
        };
        let key = name.as_ref().to_vec();
        self.fonts
            .entry(key.clone())
            .or_insert_with(|| resources.get_font(name).map(|font| Font::new(&font)));
        self.current = Some(key);
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

/// Decodes a stream, unless it is too large.
fn content(stream: &Stream<'_>) -> Option<Vec<u8>> {
    let content = stream.decoded().ok()?;
    (content.len() <= LARGEST_TEXT).then(|| content.into_owned())
}
