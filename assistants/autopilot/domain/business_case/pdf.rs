//! The business case as one A4 page. Text wraps within its cell; only facts that do not fit any more are left to the
//! conversation.

use frontdesk_print::{
    Align, Area, Canvas, Colour, FAINT, Fonts, INK, MUTED, Page, PrintError, Style, print,
};

use super::super::money::about_dollars;
use super::super::roi::NOT_COUNTED;
use super::super::shortlist::SPEED_CELL;
use super::super::span::Span;
use super::BusinessCase;

/// A4, in points.
const PAGE: (f32, f32) = (595.0, 842.0);
const MARGIN: f32 = 42.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
const BOTTOM: f32 = PAGE.1 - 56.0;
const GAP: f32 = 8.0;

/// The width of the first column.
const LABEL: f32 = 114.0;
/// The left edge of the table beside the chart.
const RIGHT: f32 = 270.0;
const LABELS: Style = Style::regular(8.0, MUTED);
const TEXT: Style = Style::regular(8.0, INK);

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

    /// Rows of cells from the left edge on. The free space begins below the highest cell of the last.
    fn table(
        &mut self,
        left: f32,
        columns: &[(f32, Style)],
        rows: impl IntoIterator<Item = Vec<String>>,
    ) {
        for cells in rows {
            let (mut x, mut height) = (left, 0.0_f32);
            for (text, (width, style)) in cells.iter().zip(columns) {
                height = height.max(self.cell(text, (x, width - 4.0), 3.0, *style));
                x += width;
            }
            self.y += height + 0.5;
        }
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
        let result = Style::bold(8.0, INK).align(Align::Right);
        self.table(
            0.0,
            &[
                (LABEL, LABELS),
                (264.0, TEXT),
                (WIDTH - LABEL - 264.0, result),
            ],
            case.steps(),
        );
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
        let widths = [94.0, 76.0, WIDTH - RIGHT - 170.0];
        let head = ["If a value is wrong", "Net a month", "Payback"];
        self.table(
            RIGHT,
            &widths.map(|width| (width, LABELS)),
            [head.map(str::to_owned).to_vec()],
        );
        self.table(
            RIGHT,
            &widths.map(|width| (width, TEXT)),
            case.sensitivity(),
        );
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
        self.y += 2.0;
        self.y += self.cell(&note, (0.0, WIDTH), 3.0, Style::regular(7.8, MUTED));
    }

    fn options(&mut self, case: &BusinessCase) {
        if case.options.is_empty() {
            return;
        }
        self.heading("Shortlist (indicative prices)");
        let widths = [102.0, 114.0, 42.0, 46.0, 36.0, 78.0, 93.0];
        let head = [
            "Robot",
            "Cleans",
            "Lease",
            "Price",
            "Needed",
            "Net a month",
            "Payback",
        ];
        self.table(
            0.0,
            &widths.map(|width| (width, LABELS)),
            [head.map(str::to_owned).to_vec()],
        );
        let rows = case.options.iter().map(|option| {
            let mut cells = option.cells().to_vec();
            cells.remove(SPEED_CELL);
            cells
        });
        self.table(0.0, &widths.map(|width| (width, TEXT)), rows);
    }

    fn decision(&mut self, case: &BusinessCase) {
        self.heading("Decision");
        let value = Style::bold(8.0, INK);
        let rows = [
            ("Who decides", case.people()),
            ("Next step", case.next().to_owned()),
        ];
        let rows = rows.map(|(name, value)| vec![name.to_owned(), value]);
        self.table(0.0, &[(LABEL, LABELS), (WIDTH - LABEL, value)], rows);
    }

    /// As many facts as fit.
    fn facts(&mut self, case: &BusinessCase) {
        self.heading("Stated facts");
        let columns = [
            (LABEL, LABELS),
            (156.0, Style::bold(8.0, INK)),
            (WIDTH - LABEL - 156.0, LABELS),
        ];
        for (place, fact) in case.facts.iter().enumerate() {
            if self.y > BOTTOM - 24.0 {
                let rest = format!("{} more in the conversation", case.facts.len() - place);
                self.cell(&rest, (0.0, WIDTH), 1.0, LABELS);
                return;
            }
            let cells = vec![
                fact.label.clone(),
                fact.value.clone(),
                format!("“{}”", fact.quote),
            ];
            self.table(0.0, &columns, [cells]);
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
