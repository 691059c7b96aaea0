//! The printed pass: always one letter page as PDF.

use frontdesk_print::{
    Align, Area, Canvas, Colour, FAINT, Fonts, INK, MUTED, PAPER, Page, Pdf, PrintError, Style,
    WHITE,
};

use crate::pass::Status;
use crate::qr::Qr;

/// Letter, in points.
const PAGE: (f32, f32) = (612.0, 792.0);
const MARGIN: f32 = 48.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
const RIGHT: f32 = PAGE.0 - MARGIN;
const QR_CARD: f32 = 156.0;
const SIGNATURES_TOP: f32 = 684.0;
/// Minimum height for photos below the longest description, in points.
const PHOTOS_MIN: f32 = 128.0;

/// The content of a printed pass, as formatted text.
pub(crate) struct Sheet<'a> {
    pub(crate) site_name: &'a str,
    pub(crate) number: &'a str,
    pub(crate) person_name: &'a str,
    pub(crate) description: &'a str,
    pub(crate) status: Status,
    pub(crate) is_returnable: bool,
    pub(crate) facts: Vec<Fact>,
    pub(crate) qr: &'a Qr,
    pub(crate) photos: Vec<PhotoSlot>,
    /// The footer: print time and time zone.
    pub(crate) note: String,
    /// The target of the QR code.
    pub(crate) link: &'a str,
}

impl Sheet<'_> {
    /// All user-written text, to select the fonts.
    fn written(&self) -> String {
        let by: String = self
            .facts
            .iter()
            .filter_map(|fact| fact.by.as_deref())
            .collect();
        [self.site_name, self.person_name, self.description, &by].concat()
    }
}

/// A labelled time and the user.
pub(crate) struct Fact {
    pub(crate) label: &'static str,
    pub(crate) value: Option<String>,
    pub(crate) by: Option<String>,
}

/// A photo slot. Without a JPEG, `instead` gives the reason.
pub(crate) struct PhotoSlot {
    pub(crate) label: String,
    pub(crate) jpeg: Option<Vec<u8>>,
    pub(crate) instead: &'static str,
}

/// Renders the page. CPU-bound: run it off the async threads.
pub(crate) fn print(fonts: &Fonts, sheet: Sheet<'_>) -> Result<Pdf, PrintError> {
    let page = Page {
        title: format!("Gate pass {}", sheet.number),
        size: PAGE,
        written: &sheet.written(),
    };
    frontdesk_print::print(fonts, page, |canvas| {
        head(canvas, &sheet);
        let below = person(canvas, &sheet).max(code(canvas, &sheet));
        let below = purpose(canvas, &sheet, below + 22.0);
        signatures(canvas);
        foot(canvas, &sheet);
        photos(canvas, sheet.photos, below)
    })
}

fn head(canvas: &mut Canvas<'_, '_>, sheet: &Sheet<'_>) {
    logo(canvas, MARGIN, 40.0);
    canvas.line(
        sheet.site_name,
        MARGIN + 44.0,
        55.0,
        250.0,
        Style::bold(13.5, INK),
    );
    label(canvas, "GATE PASS", MARGIN + 44.0, 69.0);
    let number = Style::bold(23.0, INK).align(Align::Right);
    canvas.line(sheet.number, RIGHT - 260.0, 64.0, 260.0, number);
    canvas.rule((MARGIN, 88.0), (RIGHT, 88.0), INK, 1.2);
}

/// A gate: two posts and the raised bar.
fn logo(canvas: &mut Canvas<'_, '_>, x: f32, y: f32) {
    canvas.filled(Area::new(x, y, 34.0, 34.0), 7.0, INK);
    for post in [x + 8.0, x + 23.0] {
        canvas.filled(Area::new(post, y + 12.0, 3.0, 14.0), 1.0, WHITE);
    }
    canvas.rule((x + 9.5, y + 15.5), (x + 27.0, y + 8.5), WHITE, 2.6);
}

/// Returns the bottom of the block, as the other blocks do.
fn person(canvas: &mut Canvas<'_, '_>, sheet: &Sheet<'_>) -> f32 {
    let width = WIDTH - QR_CARD - 24.0;
    label(canvas, "PERSON", MARGIN, 112.0);
    let area = Area::new(MARGIN, 115.0, width, 56.0);
    let name = Style::bold(20.0, INK);
    let height = canvas.wrapped(
        sheet.person_name,
        area,
        &[20.0, 17.0, 14.0, 12.0, 10.0, 8.0],
        name,
    );

    let top = 115.0 + height + 7.0;
    let (ink, tint) = status_colours(sheet.status);
    let word = sheet.status.into_str().to_uppercase();
    let style = Style::bold(8.5, ink).align(Align::Centre);
    let pill = canvas.width(&word, style) + 20.0;
    canvas.filled(Area::new(MARGIN, top, pill, 17.0), 8.5, tint);
    canvas.line(&word, MARGIN, top + 11.7, pill, style);
    let returns = if sheet.is_returnable {
        "Returnable"
    } else {
        "Non-returnable"
    };
    canvas.line(
        returns,
        MARGIN + pill + 10.0,
        top + 12.0,
        120.0,
        Style::regular(10.0, INK),
    );

    let column = width / 2.0;
    let mut bottom = top + 17.0;
    for (index, fact) in sheet.facts.iter().enumerate() {
        let x = MARGIN + column * (index % 2) as f32;
        let y = top + 38.0 + 42.0 * (index / 2) as f32;
        label(canvas, fact.label, x, y);
        let (value, colour) = match &fact.value {
            Some(value) => (value.as_str(), INK),
            None => ("–", MUTED),
        };
        canvas.line(
            value,
            x,
            y + 13.5,
            column - 12.0,
            Style::regular(10.5, colour),
        );
        if let Some(by) = &fact.by {
            canvas.line(by, x, y + 25.0, column - 12.0, Style::regular(8.5, MUTED));
        }
        bottom = y + 27.0;
    }
    bottom
}

fn status_colours(status: Status) -> (Colour, Colour) {
    match status {
        Status::Pending => ((133, 77, 14), (254, 243, 199)),
        Status::Approved => ((22, 101, 52), (220, 252, 231)),
        Status::Rejected => ((153, 27, 27), (254, 226, 226)),
        Status::Exited => ((30, 64, 175), (219, 234, 254)),
        Status::Returned => ((55, 65, 81), (229, 231, 235)),
    }
}

fn code(canvas: &mut Canvas<'_, '_>, sheet: &Sheet<'_>) -> f32 {
    let card = Area::new(RIGHT - QR_CARD, 104.0, QR_CARD, QR_CARD + 20.0);
    canvas.filled(card, 8.0, PAPER);
    let side = QR_CARD - 20.0;
    canvas.filled(
        Area::new(card.x + 10.0, card.y + 10.0, side, side),
        4.0,
        WHITE,
    );
    // Three light modules inside the white square and the pale card around it form the
    // quiet zone.
    let module = side / (sheet.qr.size() + 6) as f32;
    let (left, top) = (card.x + 10.0 + 3.0 * module, card.y + 10.0 + 3.0 * module);
    let size = sheet.qr.size();
    let dark = (0..size)
        .flat_map(|y| (0..size).map(move |x| (x, y)))
        .filter(|(x, y)| sheet.qr.is_dark(*x, *y));
    canvas.squares(dark.map(|(x, y)| {
        Area::new(
            left + x as f32 * module,
            top + y as f32 * module,
            module,
            module,
        )
    }));
    let hint = Style::regular(8.5, MUTED).align(Align::Centre);
    canvas.line(
        "Scan at the gate to open this pass",
        card.x + 6.0,
        card.y + QR_CARD + 8.0,
        QR_CARD - 12.0,
        hint,
    );
    card.y + card.height
}

fn purpose(canvas: &mut Canvas<'_, '_>, sheet: &Sheet<'_>, top: f32) -> f32 {
    label(canvas, "PURPOSE", MARGIN, top);
    let height = SIGNATURES_TOP - PHOTOS_MIN - top - 20.0;
    let area = Area::new(MARGIN, top + 5.0, WIDTH, height);
    let style = Style::regular(11.0, INK).align(Align::Start);
    area.y + canvas.wrapped(sheet.description, area, &[11.0, 10.0, 9.0, 8.0, 7.0], style)
}

fn photos(
    canvas: &mut Canvas<'_, '_>,
    photos: Vec<PhotoSlot>,
    below: f32,
) -> Result<(), PrintError> {
    const GAP: f32 = 20.0;
    let top = below + 22.0;
    let width = (WIDTH - GAP) / 2.0;
    // Frames have the same height unless a long description needs the room.
    let height = (SIGNATURES_TOP - top - 22.0).min(236.0);
    for (index, photo) in photos.into_iter().enumerate() {
        let x = MARGIN + (width + GAP) * index as f32;
        label(canvas, &photo.label, x, top);
        let frame = Area::new(x, top + 7.0, width, height);
        match photo.jpeg {
            Some(jpeg) => {
                canvas.filled(frame, 6.0, PAPER);
                let inside = Area::new(
                    frame.x + 4.0,
                    frame.y + 4.0,
                    frame.width - 8.0,
                    frame.height - 8.0,
                );
                canvas.picture(jpeg, inside)?;
            }
            None => {
                canvas.outlined(frame, 6.0, FAINT, true);
                let style = Style::regular(9.0, MUTED).align(Align::Centre);
                canvas.line(
                    photo.instead,
                    frame.x,
                    frame.y + frame.height / 2.0 + 3.0,
                    frame.width,
                    style,
                );
            }
        }
    }
    Ok(())
}

fn signatures(canvas: &mut Canvas<'_, '_>) {
    const GAP: f32 = 24.0;
    let width = (WIDTH - 2.0 * GAP) / 3.0;
    for (index, who) in ["Holder of the pass", "Approved by", "Security at the gate"]
        .iter()
        .enumerate()
    {
        let x = MARGIN + (width + GAP) * index as f32;
        let y = SIGNATURES_TOP + 32.0;
        canvas.rule((x, y), (x + width, y), INK, 0.7);
        canvas.line(who, x, y + 12.0, width, Style::regular(8.5, MUTED));
    }
}

fn foot(canvas: &mut Canvas<'_, '_>, sheet: &Sheet<'_>) {
    canvas.rule((MARGIN, 746.0), (RIGHT, 746.0), FAINT, 0.6);
    canvas.line(
        &sheet.note,
        MARGIN,
        759.0,
        WIDTH * 0.55,
        Style::regular(7.5, MUTED),
    );
    let link = Style::regular(7.5, MUTED).align(Align::Right);
    canvas.line(sheet.link, MARGIN + WIDTH * 0.55, 759.0, WIDTH * 0.45, link);
}

/// Small capitals above a value.
fn label(canvas: &mut Canvas<'_, '_>, text: &str, x: f32, y: f32) {
    canvas.line(text, x, y, WIDTH / 2.0, Style::bold(7.2, MUTED));
}

#[cfg(test)]
#[path = "print_tests.rs"]
mod print_tests;
