//! The business case as one A4 page. Text wraps within its cell; only facts that do not fit any more are left to the
//! conversation.

use frontdesk_print::{
    Align, Area, Canvas, Colour, FAINT, Fonts, INK, MUTED, Page, PrintError, Style, print,
};

use super::super::money::{about_dollars, dollars};
use super::super::roi::NOT_COUNTED;
use super::super::span::Span;
use super::BusinessCase;

/// A4, in points.
const PAGE: (f32, f32) = (595.0, 842.0);
const MARGIN: f32 = 42.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
const BOTTOM: f32 = PAGE.1 - 56.0;
const GAP: f32 = 8.0;

const GAIN: Colour = (24, 121, 78);
const LOSS: Colour = (176, 48, 40);
const LEASED: Colour = (37, 99, 168);
const BOUGHT: Colour = (196, 120, 20);

/// A column of a table: its left edge and width.
type Column = (f32, f32);

struct Sheet<'c, 'a, 'b> {
    canvas: &'c mut Canvas<'a, 'b>,
    /// The top of the free space.
    y: f32,
}

pub(super) fn write(case: &BusinessCase) -> Result<Vec<u8>, PrintError> {
    let fonts = Fonts::new(None).ok_or_else(|| PrintError("built-in fonts".to_owned()))?;
    let page = Page {
        title: case.title(),
        size: PAGE,
        written: &case.to_markdown(),
    };
    let pdf = print(&fonts, page, |canvas| {
        let mut sheet = Sheet { canvas, y: 34.0 };
        sheet.head(case);
        sheet.calculation(case);
        sheet.chart(case);
        sheet.inputs(case);
        sheet.options(case);
        sheet.decision(case);
        sheet.facts(case);
        sheet.foot(case);
        Ok(())
    })?;
    Ok(pdf.bytes)
}

impl Sheet<'_, '_, '_> {
    /// Wraps a text from the top of the free space and returns its height.
    fn cell(&mut self, text: &str, (x, width): Column, lines: f32, style: Style) -> f32 {
        let line = printable(text);
        let area = Area {
            x: MARGIN + x,
            y: self.y,
            width,
            height: style.size * 1.4 * lines,
        };
        self.canvas
            .wrapped(&line, area, &[style.size, style.size - 0.8], style)
    }

    /// A row of cells; the free space begins below the highest.
    fn row(&mut self, cells: &[(&str, Column, Style)]) {
        let heights = cells
            .iter()
            .map(|(text, column, style)| self.cell(text, *column, 3.0, *style));
        let height = heights
            .collect::<Vec<f32>>()
            .into_iter()
            .fold(0.0, f32::max);
        self.y += height + 0.5;
    }

    fn heading(&mut self, text: &str) {
        self.y += GAP;
        self.y += self.cell(text, (0.0, WIDTH), 1.0, Style::bold(9.5, INK)) + 1.5;
        let (left, right) = (MARGIN, MARGIN + WIDTH);
        self.canvas
            .rule((left, self.y), (right, self.y), FAINT, 0.7);
        self.y += 3.0;
    }

    fn head(&mut self, case: &BusinessCase) {
        let whole = (0.0, WIDTH);
        self.y += self.cell(&case.title(), whole, 2.0, Style::bold(16.0, INK)) + 3.0;
        let net = case.estimate.estimated_monthly_savings;
        let colour = if net.low < 0.0 { LOSS } else { GAIN };
        self.y += self.cell(&case.headline(), whole, 3.0, Style::bold(10.0, colour));
        for note in &case.notes {
            self.y += self.cell(note, whole, 2.0, Style::regular(8.5, LOSS));
        }
    }

    fn calculation(&mut self, case: &BusinessCase) {
        self.heading("Calculation");
        for step in &case.estimate.derivation {
            self.row(&[
                (step.name.label(), (0.0, 110.0), Style::regular(8.0, MUTED)),
                (&step.formula, (114.0, 260.0), Style::regular(8.0, INK)),
                (
                    &step.result,
                    (378.0, WIDTH - 378.0),
                    Style::bold(8.0, INK).align(Align::Right),
                ),
            ]);
        }
    }

    /// Cumulative gain or loss, beside the sensitivity table.
    fn chart(&mut self, case: &BusinessCase) {
        self.heading("Gain or loss over 36 months");
        let top = self.y + 4.0;
        let plot = Area {
            x: MARGIN + 46.0,
            y: top,
            width: 200.0,
            height: 88.0,
        };
        self.plot(case, plot);
        let right = 270.0;
        let (muted, ink) = (Style::regular(8.0, MUTED), Style::regular(8.0, INK));
        self.row(&[
            ("If a value is wrong", (right, 92.0), muted),
            ("Net a month", (right + 94.0, 74.0), muted),
            ("Payback", (right + 170.0, WIDTH - right - 170.0), muted),
        ]);
        for [change, net, payback] in case.sensitivity() {
            self.row(&[
                (&change, (right, 92.0), ink),
                (&net, (right + 94.0, 74.0), ink),
                (&payback, (right + 170.0, WIDTH - right - 170.0), ink),
            ]);
        }
        self.y = self.y.max(top + plot.height + 24.0);
    }

    fn plot(&mut self, case: &BusinessCase, plot: Area) {
        let points = &case.estimate.chart;
        let ends = |span: Span| [span.low, span.high];
        let amounts = || {
            points
                .iter()
                .flat_map(|point| [ends(point.lease), ends(point.purchase)])
                .flatten()
        };
        let (least, most) = (amounts().fold(0.0, f64::min), amounts().fold(0.0, f64::max));
        let span = (most - least).max(1.0);
        let last = points.last().map_or(1, |point| point.month).max(1) as f32;
        let x = |month: u32| plot.x + plot.width * month as f32 / last;
        let y = |amount: f64| plot.y + plot.height * ((most - amount) / span) as f32;
        let right = plot.x + plot.width;
        for amount in [most, 0.0, least] {
            let colour = if amount == 0.0 { MUTED } else { FAINT };
            self.canvas
                .rule((plot.x, y(amount)), (right, y(amount)), colour, 0.6);
            let label = Style::regular(7.0, MUTED).align(Align::Right);
            let text = printable(&about_dollars(amount));
            self.canvas
                .line(&text, MARGIN, y(amount) + 2.5, 42.0, label);
        }
        for point in points {
            let label = Style::regular(7.0, MUTED).align(Align::Centre);
            let month = point.month.to_string();
            self.canvas.line(
                &month,
                x(point.month) - 12.0,
                plot.y + plot.height + 9.0,
                24.0,
                label,
            );
        }
        for pair in points.windows(2) {
            let [from, to] = pair else { continue };
            for (one, other, colour) in [
                (from.lease, to.lease, LEASED),
                (from.purchase, to.purchase, BOUGHT),
            ] {
                for (a, b) in [(one.low, other.low), (one.high, other.high)] {
                    self.canvas
                        .rule((x(from.month), y(a)), (x(to.month), y(b)), colour, 1.4);
                }
            }
        }
        let legend = plot.y + plot.height + 19.0;
        for (name, colour, at) in [
            ("Leased", LEASED, 0.0),
            ("Bought", BOUGHT, 60.0),
            ("months", MUTED, 120.0),
        ] {
            self.canvas
                .line(name, plot.x + at, legend, 56.0, Style::bold(7.5, colour));
        }
    }

    fn inputs(&mut self, case: &BusinessCase) {
        self.heading("Values and their sources");
        let lines = case.estimate.input_lines();
        let half = lines.len().div_ceil(2);
        let (top, style) = (self.y, Style::regular(7.8, INK));
        let column = WIDTH / 2.0;
        for (x, part) in [(0.0, lines.get(..half)), (column, lines.get(half..))] {
            let bottom = self.y;
            self.y = top;
            for line in part.unwrap_or_default() {
                self.y += self.cell(line, (x, column - 10.0), 2.0, style) + 0.3;
            }
            self.y = self.y.max(bottom);
        }
        let note = format!("{} {NOT_COUNTED}", case.estimate.confidence_in_words());
        self.y += self.cell(&note, (0.0, WIDTH), 3.0, Style::regular(7.8, MUTED));
    }

    fn options(&mut self, case: &BusinessCase) {
        if case.options.is_empty() {
            return;
        }
        self.heading("Shortlist (indicative prices)");
        let header = [
            "Robot",
            "Cleans",
            "Lease",
            "Price",
            "Needed",
            "Net a month",
            "Payback",
        ];
        self.option(header.map(str::to_owned), Style::regular(7.5, MUTED));
        for option in &case.options {
            let [needed, net, payback] = option.figure_cells();
            let (lease, price) = (
                dollars(option.monthly_lease),
                dollars(option.purchase_price),
            );
            let (robot, modes) = (option.robot.clone(), option.modes.clone());
            let cells = [robot, modes, lease, price, needed, net, payback];
            self.option(cells, Style::regular(8.0, INK));
        }
    }

    fn option(&mut self, cells: [String; 7], style: Style) {
        let mut left = 0.0;
        let mut row = Vec::new();
        for (text, width) in cells
            .iter()
            .zip([102.0, 114.0, 42.0, 46.0, 36.0, 78.0, 93.0])
        {
            row.push((text.as_str(), (left, width - 2.0), style));
            left += width;
        }
        self.row(&row);
    }

    fn decision(&mut self, case: &BusinessCase) {
        self.heading("Decision");
        let people = case.people();
        for (name, value) in [("Who decides", people.as_str()), ("Next step", case.next())] {
            self.row(&[
                (name, (0.0, 110.0), Style::regular(8.0, MUTED)),
                (value, (114.0, WIDTH - 114.0), Style::bold(8.0, INK)),
            ]);
        }
    }

    /// As many facts as fit.
    fn facts(&mut self, case: &BusinessCase) {
        self.heading("Stated facts");
        for (place, fact) in case.facts.iter().enumerate() {
            if self.y > BOTTOM - 24.0 {
                let rest = format!("{} more in the conversation", case.facts.len() - place);
                self.cell(&rest, (0.0, WIDTH), 1.0, Style::regular(8.0, MUTED));
                return;
            }
            self.row(&[
                (&fact.label, (0.0, 110.0), Style::regular(8.0, MUTED)),
                (&fact.value, (114.0, 150.0), Style::bold(8.0, INK)),
                (
                    &format!("“{}”", fact.quote),
                    (270.0, WIDTH - 270.0),
                    Style::regular(7.8, MUTED),
                ),
            ]);
        }
    }

    fn foot(&mut self, case: &BusinessCase) {
        self.y = PAGE.1 - 44.0;
        let day = case.prepared_at.format("%Y-%m-%d");
        let line = format!(
            "Prepared by {} on {day} from the conversation “{}”",
            case.prepared_by, case.conversation_title
        );
        for text in [&line, &case.conversation_url] {
            self.y += self.cell(text, (0.0, WIDTH), 1.0, Style::regular(7.5, MUTED));
        }
    }
}

/// Without control characters, which have no shape, and with a dash for the minus sign, which the
/// built-in fonts lack.
fn printable(text: &str) -> String {
    let shown = text.chars().filter(|c| !c.is_control());
    shown.map(|c| if c == '−' { '–' } else { c }).collect()
}
