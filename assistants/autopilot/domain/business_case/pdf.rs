//! The business case as one A4 page. Lines that are too long are cut with an ellipsis, so that it stays one.

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};

use super::super::money::{about_dollars, dollars};
use super::BusinessCase;

// The letters of the printed pass: one set of fonts for all that the product prints.
static REGULAR: &[u8] =
    include_bytes!("../../../../crates/print/fonts/NotoSans-Regular.ttf");
static BOLD: &[u8] = include_bytes!("../../../../crates/print/fonts/NotoSans-Bold.ttf");

/// A4, in points.
const PAGE: (f32, f32) = (595.0, 842.0);
const MARGIN: f32 = 46.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
const MOST_FACTS: usize = 9;

type Colour = (u8, u8, u8);
const INK: Colour = (23, 32, 44);
const MUTED: Colour = (99, 109, 124);
const FAINT: Colour = (224, 228, 234);
const GAIN: Colour = (24, 121, 78);
const LOSS: Colour = (176, 48, 40);

/// A font with which text can be measured as well as drawn.
struct Face {
    font: Font,
    shape: rustybuzz::Face<'static>,
}

impl Face {
    fn new(bytes: &'static [u8]) -> Result<Face, String> {
        let broken = || "the built-in fonts are damaged".to_owned();
        Ok(Face {
            font: Font::new(bytes.into(), 0).ok_or_else(broken)?,
            shape: rustybuzz::Face::from_slice(bytes, 0).ok_or_else(broken)?,
        })
    }

    fn width(&self, text: &str, size: f32) -> f32 {
        let advance = |c: char| {
            let glyph = self.shape.glyph_index(c).unwrap_or_default();
            f32::from(self.shape.glyph_hor_advance(glyph).unwrap_or_default())
        };
        text.chars().map(advance).sum::<f32>() * size / self.shape.units_per_em() as f32
    }

    fn cut(&self, text: &str, size: f32, room: f32) -> String {
        if self.width(text, size) <= room {
            return text.to_owned();
        }
        let mut kept = String::new();
        for c in text.chars() {
            kept.push(c);
            if self.width(&kept, size) + self.width("…", size) > room {
                kept.pop();
                break;
            }
        }
        format!("{}…", kept.trim_end())
    }
}

struct Sheet<'a, 'b> {
    surface: &'a mut Surface<'b>,
    regular: &'a Face,
    bold: &'a Face,
    y: f32,
}

pub(super) fn write(case: &BusinessCase) -> Result<Vec<u8>, String> {
    let (regular, bold) = (Face::new(REGULAR)?, Face::new(BOLD)?);
    let mut document = Document::new();
    document.set_metadata(
        Metadata::new()
            .title(case.title())
            .language("en".to_owned()),
    );
    let settings = PageSettings::from_wh(PAGE.0, PAGE.1).ok_or("the page has no size")?;
    let mut page = document.start_page_with(settings);
    let mut surface = page.surface();
    let mut sheet = Sheet {
        surface: &mut surface,
        regular: &regular,
        bold: &bold,
        y: MARGIN,
    };
    sheet.head(case);
    sheet.figures(case);
    sheet.chart(case);
    sheet.options(case);
    sheet.lists(case);
    sheet.foot(case);
    surface.finish();
    page.finish();
    document.finish().map_err(|error| format!("{error:?}"))
}

impl Sheet<'_, '_> {
    fn text(&mut self, text: &str, x: f32, size: f32, colour: Colour, bold: bool, room: f32) {
        // Control characters have no shape.
        let line: String = text.chars().filter(|c| !c.is_control()).collect();
        let face = if bold { self.bold } else { self.regular };
        let line = face.cut(&line, size, room);
        self.fill(colour);
        self.surface.draw_text(
            Point::from_xy(x, self.y),
            face.font.clone(),
            size,
            &line,
            false,
            TextDirection::Auto,
        );
    }

    fn fill(&mut self, colour: Colour) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill {
            paint: rgb::Color::new(colour.0, colour.1, colour.2).into(),
            opacity: NormalizedF32::ONE,
            rule: FillRule::NonZero,
        }));
    }

    fn block(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Colour) {
        let Some(rect) = Rect::from_xywh(x, y, width.max(0.5), height) else {
            return;
        };
        let mut path = PathBuilder::new();
        path.push_rect(rect);
        self.fill(colour);
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }

    fn heading(&mut self, text: &str) {
        self.y += 20.0;
        self.text(text, MARGIN, 11.0, INK, true, WIDTH);
        self.block(MARGIN, self.y + 4.0, WIDTH, 0.7, FAINT);
        self.y += 18.0;
    }

    fn head(&mut self, case: &BusinessCase) {
        self.y += 12.0;
        self.text(&case.title(), MARGIN, 18.0, INK, true, WIDTH);
        self.y += 22.0;
        let colour = if case.estimate.estimated_monthly_savings < 0.0 {
            LOSS
        } else {
            GAIN
        };
        self.text(&case.headline(), MARGIN, 10.5, colour, true, WIDTH);
        for note in case.notes.iter().take(2) {
            self.y += 14.0;
            self.text(note, MARGIN, 9.0, LOSS, false, WIDTH);
        }
    }

    fn figures(&mut self, case: &BusinessCase) {
        self.heading("Figures and what they stand on");
        let top = self.y;
        for (name, value) in case.figures() {
            self.text(name, MARGIN, 9.0, MUTED, false, 86.0);
            self.text(&value, MARGIN + 90.0, 9.0, INK, true, 160.0);
            self.y += 13.0;
        }
        let bottom = self.y;
        self.y = top;
        for assumption in &case.estimate.factors_considered {
            self.text(
                &format!("· {assumption}"),
                MARGIN + 262.0,
                9.0,
                INK,
                false,
                WIDTH - 262.0,
            );
            self.y += 13.0;
        }
        self.y = self.y.max(bottom);
    }

    /// What has been saved in all, month by month, beside what happens when an assumption is wrong.
    fn chart(&mut self, case: &BusinessCase) {
        self.heading("Saved in all after so many months (leased: dark, bought: light)");
        let (top, height, width) = (self.y - 6.0, 96.0, 236.0);
        let points = &case.estimate.chart;
        let amounts = || {
            points
                .iter()
                .flat_map(|point| [point.lease, point.purchase])
        };
        let (least, most) = (amounts().fold(0.0, f64::min), amounts().fold(0.0, f64::max));
        let span = (most - least).max(1.0);
        let at = |amount: f64| top + height * ((most - amount) / span) as f32;
        let step = width / points.len().max(1) as f32;
        for (place, point) in points.iter().enumerate() {
            let x = MARGIN + step * place as f32;
            for (offset, amount, strong) in
                [(4.0, point.lease, true), (14.0, point.purchase, false)]
            {
                let colour = match (amount < 0.0, strong) {
                    (true, true) => LOSS,
                    (true, false) => (226, 160, 155),
                    (false, true) => GAIN,
                    (false, false) => (143, 200, 172),
                };
                let (from, to) = (at(amount.max(0.0)), at(amount.min(0.0)));
                self.block(x + offset, from, 9.0, (to - from).max(0.8), colour);
            }
            self.y = top + height + 11.0;
            self.text(&point.month.to_string(), x + 8.0, 8.0, MUTED, false, step);
        }
        self.block(MARGIN, at(0.0), width, 0.7, MUTED);
        self.sensitivity(case, top + 8.0);
        self.y = top + height + 14.0;
    }

    fn sensitivity(&mut self, case: &BusinessCase, top: f32) {
        let x = MARGIN + 262.0;
        self.y = top;
        let last = case.estimate.chart.last();
        for (name, amount) in [
            ("Leased", last.map(|point| point.lease)),
            ("Bought", last.map(|point| point.purchase)),
        ] {
            let amount = amount.map(about_dollars).unwrap_or_default();
            self.text(
                &format!("{name}, after 36 months: {amount}"),
                x,
                9.0,
                INK,
                false,
                WIDTH - 262.0,
            );
            self.y += 13.0;
        }
        self.y += 6.0;
        self.text(
            "If an assumption is wrong: net a month, payback",
            x,
            9.0,
            MUTED,
            false,
            WIDTH - 262.0,
        );
        for row in case.sensitivity() {
            self.y += 13.0;
            self.text(&row[0], x, 9.0, INK, false, 100.0);
            self.text(&row[2], x + 104.0, 9.0, INK, true, 56.0);
            self.text(&row[3], x + 162.0, 9.0, INK, false, 82.0);
        }
    }

    fn options(&mut self, case: &BusinessCase) {
        if case.options.is_empty() {
            return;
        }
        self.heading("Shortlist (indicative prices)");
        let columns = [0.0, 118.0, 232.0, 312.0, 368.0, 428.0];
        let rooms = [114.0, 110.0, 76.0, 52.0, 56.0, WIDTH - 428.0];
        let header = ["Robot", "Cleans", "Speed", "Lease", "Price", "Net a month"];
        for ((title, x), room) in header.iter().zip(columns).zip(rooms) {
            self.text(title, MARGIN + x, 8.5, MUTED, false, room);
        }
        for option in &case.options {
            self.y += 13.0;
            let net = option.estimated_monthly_savings;
            let cells = [
                option.robot.clone(),
                option.modes.clone(),
                option.area.clone(),
                dollars(option.monthly_lease),
                dollars(option.purchase_price),
                about_dollars(net),
            ];
            for (place, ((cell, x), room)) in cells.iter().zip(columns).zip(rooms).enumerate() {
                let colour = if place == 5 && net < 0.0 { LOSS } else { INK };
                self.text(cell, MARGIN + x, 9.0, colour, place == 0, room);
            }
        }
    }

    fn lists(&mut self, case: &BusinessCase) {
        self.heading("What was said");
        for fact in case.facts.iter().take(MOST_FACTS) {
            self.text(&fact.label, MARGIN, 9.0, MUTED, false, 112.0);
            self.text(&fact.value, MARGIN + 116.0, 9.0, INK, true, 150.0);
            self.text(
                &format!("“{}”", fact.quote),
                MARGIN + 272.0,
                9.0,
                MUTED,
                false,
                WIDTH - 272.0,
            );
            self.y += 13.0;
        }
        if case.facts.len() > MOST_FACTS {
            let rest = case.facts.len() - MOST_FACTS;
            self.text(
                &format!("and {rest} more in the conversation"),
                MARGIN,
                9.0,
                MUTED,
                false,
                WIDTH,
            );
            self.y += 13.0;
        }
        self.y -= 4.0;
        self.heading("Decision");
        let people = if case.stakeholders.is_empty() {
            "not named yet".to_owned()
        } else {
            case.stakeholders.join(", ")
        };
        let next = case
            .next_step
            .as_deref()
            .unwrap_or("not agreed yet")
            .to_owned();
        for (name, value) in [("Who decides", people), ("Next step", next)] {
            self.text(name, MARGIN, 9.0, MUTED, false, 86.0);
            self.text(&value, MARGIN + 90.0, 9.0, INK, true, WIDTH - 90.0);
            self.y += 13.0;
        }
    }

    fn foot(&mut self, case: &BusinessCase) {
        self.y = PAGE.1 - 34.0;
        let day = case.prepared_at.format("%Y-%m-%d");
        let line = format!(
            "Prepared by {} on {day} from the conversation “{}”",
            case.prepared_by, case.conversation_title
        );
        self.text(&line, MARGIN, 8.0, MUTED, false, WIDTH);
        self.y += 11.0;
        self.text(&case.conversation_url, MARGIN, 8.0, MUTED, false, WIDTH);
    }
}
