//! Draws on the page in points from its top left corner: text, lines, boxes and pictures,
//! in the sheet's colours.

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect, Size, Transform};
use krilla::image::Image;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, Stroke, StrokeDash};
use krilla::surface::Surface;

use crate::PrintError;
use crate::fonts::Weight;
use crate::text::{Line, Paragraph, Typesetter};

/// Red, green and blue.
pub type Colour = (u8, u8, u8);

pub const INK: Colour = (23, 32, 44);
pub const MUTED: Colour = (99, 109, 124);
pub const FAINT: Colour = (214, 219, 226);
pub const PAPER: Colour = (246, 247, 249);
pub const WHITE: Colour = (255, 255, 255);

/// Horizontal alignment of text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// The side where its script begins.
    Start,
    Left,
    Centre,
    Right,
}

/// Text style.
#[derive(Clone, Copy)]
pub struct Style {
    pub weight: Weight,
    pub size: f32,
    pub colour: Colour,
    pub align: Align,
}

impl Style {
    pub const fn regular(size: f32, colour: Colour) -> Self {
        Self {
            weight: Weight::Regular,
            size,
            colour,
            align: Align::Left,
        }
    }

    pub fn bold(size: f32, colour: Colour) -> Self {
        Self {
            weight: Weight::Bold,
            ..Self::regular(size, colour)
        }
    }

    pub fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }
}

/// A rectangle by its corner and its extent.
#[derive(Clone, Copy)]
pub struct Area {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

impl Area {
    pub fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }
}

pub struct Canvas<'a, 'b> {
    surface: &'a mut Surface<'b>,
    typesetter: &'a Typesetter<'a>,
    /// Letters without a font, drawn as boxes.
    pub(crate) missing: Vec<char>,
}

impl<'a, 'b> Canvas<'a, 'b> {
    pub fn new(surface: &'a mut Surface<'b>, typesetter: &'a Typesetter<'a>) -> Self {
        Self {
            surface,
            typesetter,
            missing: Vec::new(),
        }
    }

    /// One line with its baseline at `y`, truncated with an ellipsis if wider than `width`.
    pub fn line(&mut self, text: &str, x: f32, y: f32, width: f32, style: Style) {
        let paragraph = Paragraph::new(self.typesetter, style.weight, text);
        let whole = paragraph.line(0..text.len());
        if whole.width * style.size <= width {
            self.missing.extend(paragraph.missing());
            return self.set(&whole, x, y, width, style);
        }
        let room = width / style.size - 1.0;
        let kept = text.get(paragraph.cut(room)).unwrap_or("").trim_end();
        let shortened = format!("{kept}…");
        let paragraph = Paragraph::new(self.typesetter, style.weight, &shortened);
        self.missing.extend(paragraph.missing());
        let line = paragraph.line(0..shortened.len());
        self.set(&line, x, y, width, style);
    }

    /// Text wrapped into `area`, at the largest of `sizes` that fits; at the smallest, the
    /// rest is cut with an ellipsis. Returns the height used.
    pub fn wrapped(&mut self, text: &str, area: Area, sizes: &[f32], style: Style) -> f32 {
        const LEADING: f32 = 1.36;
        let paragraph = Paragraph::new(self.typesetter, style.weight, text);
        let smallest = sizes.last().copied().unwrap_or(style.size);
        let height = |size: f32, lines: usize| size * LEADING * lines as f32;
        let size = sizes
            .iter()
            .copied()
            .find(|size| height(*size, paragraph.broken(area.width / size).len()) <= area.height)
            .unwrap_or(smallest);
        let mut lines = paragraph.broken(area.width / size);
        let most = ((area.height / (size * LEADING)) as usize).max(1);
        let rest = (lines.len() > most).then(|| lines.split_off(most - 1));
        let style = Style { size, ..style };
        let baseline = |index: usize| area.y + size + height(size, index);
        for (index, range) in lines.iter().enumerate() {
            self.set(
                &paragraph.line(range.clone()),
                area.x,
                baseline(index),
                area.width,
                style,
            );
        }
        let drawn = lines.len() + usize::from(rest.is_some());
        if let Some(remaining) = rest.and_then(|rest| text.get(rest.first()?.start..)) {
            self.line(remaining, area.x, baseline(drawn - 1), area.width, style);
        }
        self.missing.extend(paragraph.missing());
        height(size, drawn)
    }

    /// The width of a text in this style, on one line.
    pub fn width(&self, text: &str, style: Style) -> f32 {
        Paragraph::new(self.typesetter, style.weight, text)
            .line(0..text.len())
            .width
            * style.size
    }

    fn set(&mut self, line: &Line, x: f32, y: f32, width: f32, style: Style) {
        let room = width - line.width * style.size;
        let mut x = match style.align {
            Align::Left => x,
            Align::Centre => x + room / 2.0,
            Align::Right => x + room,
            Align::Start if line.right_to_left => x + room,
            Align::Start => x,
        };
        self.paint(Some(style.colour), None);
        for run in &line.runs {
            self.surface.draw_glyphs(
                Point::from_xy(x, y),
                &run.glyphs,
                run.font.clone(),
                &run.text,
                style.size,
                false,
            );
            x += run.width * style.size;
        }
    }

    /// A straight line.
    pub fn rule(&mut self, from: (f32, f32), to: (f32, f32), colour: Colour, width: f32) {
        let mut path = PathBuilder::new();
        path.move_to(from.0, from.1);
        path.line_to(to.0, to.1);
        self.paint(None, Some(stroke(colour, width)));
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }

    /// A filled box with round corners.
    pub fn filled(&mut self, area: Area, radius: f32, colour: Colour) {
        self.paint(Some(colour), None);
        self.rounded(area, radius);
    }

    /// The outline of a box with round corners; dashed for a placeholder.
    pub fn outlined(&mut self, area: Area, radius: f32, colour: Colour, dashed: bool) {
        let mut stroke = stroke(colour, 0.8);
        stroke.dash = dashed.then(|| StrokeDash {
            array: vec![3.0, 3.0],
            offset: 0.0,
        });
        self.paint(None, Some(stroke));
        self.rounded(area, radius);
    }

    fn rounded(&mut self, area: Area, radius: f32) {
        // The usual approximation of a quarter circle by a cubic curve.
        let bend = radius * 0.447_7;
        let (left, top) = (area.x, area.y);
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        let mut path = PathBuilder::new();
        path.move_to(left + radius, top);
        path.line_to(right - radius, top);
        path.cubic_to(right - bend, top, right, top + bend, right, top + radius);
        path.line_to(right, bottom - radius);
        path.cubic_to(
            right,
            bottom - bend,
            right - bend,
            bottom,
            right - radius,
            bottom,
        );
        path.line_to(left + radius, bottom);
        path.cubic_to(
            left + bend,
            bottom,
            left,
            bottom - bend,
            left,
            bottom - radius,
        );
        path.line_to(left, top + radius);
        path.cubic_to(left, top + bend, left + bend, top, left + radius, top);
        path.close();
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }

    /// Dark squares, as one shape so that no hairline shows between them.
    pub fn squares(&mut self, squares: impl Iterator<Item = Area>) {
        let mut path = PathBuilder::new();
        for square in squares {
            if let Some(rect) = Rect::from_xywh(square.x, square.y, square.width, square.height) {
                path.push_rect(rect);
            }
        }
        self.paint(Some((0, 0, 0)), None);
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }

    /// A JPEG picture scaled to fit `area`, centred.
    pub fn picture(&mut self, jpeg: Vec<u8>, area: Area) -> Result<(), PrintError> {
        let image = Image::from_jpeg(jpeg.into(), true).map_err(PrintError)?;
        let (width, height) = (image.size().0 as f32, image.size().1 as f32);
        let scale = (area.width / width).min(area.height / height);
        let Some(size) = Size::from_wh(width * scale, height * scale) else {
            return Ok(());
        };
        let corner = (
            area.x + (area.width - size.width()) / 2.0,
            area.y + (area.height - size.height()) / 2.0,
        );
        self.surface
            .push_transform(&Transform::from_translate(corner.0, corner.1));
        self.surface.draw_image(image, size);
        self.surface.pop();
        Ok(())
    }

    fn paint(&mut self, fill: Option<Colour>, stroke: Option<Stroke>) {
        self.surface.set_fill(fill.map(|colour| Fill {
            paint: rgb(colour).into(),
            opacity: NormalizedF32::ONE,
            rule: FillRule::NonZero,
        }));
        self.surface.set_stroke(stroke);
    }
}

fn rgb(colour: Colour) -> rgb::Color {
    rgb::Color::new(colour.0, colour.1, colour.2)
}

fn stroke(colour: Colour, width: f32) -> Stroke {
    Stroke {
        paint: rgb(colour).into(),
        width,
        ..Stroke::default()
    }
}
