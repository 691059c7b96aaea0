//! The funnel report in its four formats: for Word, as a picture in text, as slides and as a comparison table.

use super::Printed;
use crate::tata::domain::document::Document;
use crate::tata::domain::funnel_report::stage::{Chain, Stage};
use crate::tata::domain::funnel_report::{
    Bottleneck, BottleneckSeverity, FunnelFormat, FunnelReport, FunnelStage,
};
use crate::tata::domain::language::GermanAddress;
use crate::tata::domain::library::Library;
use crate::tata::domain::voice::Voice;

/// A slide with more points is not read.
const POINTS_ON_A_SLIDE: usize = 5;
const WIDEST_BAR: f64 = 40.0;

impl Printed for FunnelReport {
    fn document(&self, library: &Library) -> Document {
        funnel_document(self, self.format, library)
    }
}

pub fn funnel_document(report: &FunnelReport, format: FunnelFormat, library: &Library) -> Document {
    let page = Page {
        report,
        voice: Voice::new(
            library.pack(report.language),
            report.language,
            GermanAddress::Sie,
        ),
    };
    match format {
        FunnelFormat::Word => page.word(),
        FunnelFormat::VisualFunnel => page.visual(),
        FunnelFormat::SlideContent => page.slides(),
        FunnelFormat::ComparisonTable => compare_funnels(&[report], library),
    }
}

/// Several funnels side by side: for each stage the number and the conversion.
pub fn compare_funnels(reports: &[&FunnelReport], library: &Library) -> Document {
    let Some(first) = reports.first() else {
        return Document::new(String::new());
    };
    let voice = Voice::new(
        library.pack(first.language),
        first.language,
        GermanAddress::Sie,
    );
    let phrases = &voice.pack.funnel;
    let titles: Vec<&str> = reports.iter().map(|r| r.job_title.as_str()).collect();
    let mut doc = Document::new(voice.say(&phrases.title, &[("title", &titles.join(", "))]));
    let mut header = vec![phrases.headings.stage.as_str()];
    header.extend(&titles);
    let known = |stage: &Stage| {
        reports
            .iter()
            .any(|r| r.funnel_table.iter().any(|row| row.stage == *stage))
    };
    let rows = Stage::ALL.into_iter().filter(known).map(|stage| {
        let cell = |r: &&FunnelReport| {
            r.funnel_table
                .iter()
                .find(|row| row.stage == stage)
                .map_or(String::new(), |row| figure(row, voice))
        };
        std::iter::once(phrases.stage(stage).to_owned())
            .chain(reports.iter().map(cell))
            .collect()
    });
    doc.table(&header, rows.collect());
    doc
}

fn figure(row: &FunnelStage, voice: Voice<'_>) -> String {
    match row.conversion_from_previous {
        Some(rate) => format!("{} ({})", row.count, voice.percent(rate)),
        None => row.count.to_string(),
    }
}

struct Page<'a> {
    report: &'a FunnelReport,
    voice: Voice<'a>,
}

impl Page<'_> {
    fn title(&self) -> String {
        self.voice.say(
            &self.voice.pack.funnel.title,
            &[("title", &self.report.job_title)],
        )
    }

    fn word(&self) -> Document {
        let headings = &self.voice.pack.funnel.headings;
        let mut doc = Document::new(self.title());
        doc.section(&headings.summary, &self.report.summary);
        doc.heading(&headings.funnel);
        for chain in self.chains() {
            doc.subheading(self.chain_name(chain));
            self.table(&mut doc, chain);
        }
        doc.list(&headings.drops, &self.drops());
        doc.list(&headings.bottlenecks, &self.bottlenecks());
        doc.list(&headings.fixes, &self.fixes());
        doc
    }

    /// Bars of blocks, as wide as the share of the largest stage.
    fn visual(&self) -> Document {
        let mut doc = Document::new(self.title());
        for chain in self.chains() {
            doc.heading(self.chain_name(chain));
            let stages = self
                .report
                .visual_data
                .stages
                .iter()
                .filter(|s| s.chain == chain);
            let bars = stages.map(|s| {
                let blocks = (s.width.min(100.0) / 100.0 * WIDEST_BAR).round() as usize;
                format!("{} {} {}", "█".repeat(blocks.max(1)), s.name, s.count)
            });
            doc.paragraph(bars.collect::<Vec<_>>().join("\n"));
        }
        doc.list(&self.voice.pack.funnel.headings.drops, &self.drops());
        doc
    }

    fn slides(&self) -> Document {
        let headings = &self.voice.pack.funnel.headings;
        let mut doc = Document::new(self.title());
        let summary = self
            .report
            .summary
            .split_inclusive(". ")
            .map(|s| s.trim().to_owned())
            .collect::<Vec<_>>();
        let slides = [
            (&headings.summary, summary),
            (&headings.drops, self.drops()),
            (&headings.bottlenecks, self.bottlenecks()),
            (&headings.fixes, self.fixes()),
        ];
        for (heading, points) in slides {
            doc.list(heading, &points[..points.len().min(POINTS_ON_A_SLIDE)]);
        }
        doc
    }

    fn chains(&self) -> impl Iterator<Item = Chain> {
        let has = |chain: Chain| self.report.funnel_table.iter().any(|r| r.chain == chain);
        [Chain::Inbound, Chain::Sourcing]
            .into_iter()
            .filter(move |c| has(*c))
    }

    fn chain_name(&self, chain: Chain) -> &str {
        match chain {
            Chain::Inbound => &self.voice.pack.funnel.inbound,
            Chain::Sourcing => &self.voice.pack.funnel.sourcing,
        }
    }

    fn table(&self, doc: &mut Document, chain: Chain) {
        let headings = &self.voice.pack.funnel.headings;
        let header = [
            &headings.stage,
            &headings.count,
            &headings.conversion,
            &headings.cumulative,
            &headings.time,
            &headings.note,
        ];
        let rows = self
            .report
            .funnel_table
            .iter()
            .filter(|r| r.chain == chain)
            .map(|r| {
                vec![
                    r.name.clone(),
                    r.count.to_string(),
                    r.conversion_from_previous
                        .map(|c| self.voice.percent(c))
                        .unwrap_or_default(),
                    self.voice.percent(r.cumulative_conversion),
                    r.time_in_stage
                        .map(|d| self.voice.days(d))
                        .unwrap_or_default(),
                    r.notes.clone().unwrap_or_default(),
                ]
            });
        doc.table(&header.map(String::as_str), rows.collect());
    }

    fn drops(&self) -> Vec<String> {
        let phrases = &self.voice.pack.funnel;
        let each = self.report.visual_data.largest_drops.iter().map(|d| {
            let (lost, percent) = (d.lost.to_string(), self.voice.percent(d.conversion));
            self.voice.say(
                &phrases.drop,
                &[
                    ("from", &d.from),
                    ("to", &d.to),
                    ("lost", &lost),
                    ("percent", &percent),
                ],
            )
        });
        each.collect()
    }

    fn bottlenecks(&self) -> Vec<String> {
        self.report
            .bottlenecks
            .iter()
            .map(|b| self.bottleneck(b))
            .collect()
    }

    fn bottleneck(&self, b: &Bottleneck) -> String {
        let phrases = &self.voice.pack.funnel;
        let rate = b.conversion_rate.map(|r| {
            self.voice.say(
                &phrases.reason_conversion,
                &[("percent", &self.voice.percent(r))],
            )
        });
        let time = b.time_in_stage.map(|d| {
            self.voice
                .say(&phrases.reason_time, &[("days", &self.voice.days(d))])
        });
        let reasons: Vec<String> = rate.into_iter().chain(time).collect();
        let severity = match b.severity {
            BottleneckSeverity::High => &phrases.high,
            BottleneckSeverity::Medium => &phrases.medium,
        };
        let reasons = reasons.join(", ");
        let values = [
            ("stage", phrases.stage(b.stage)),
            ("reasons", &reasons),
            ("severity", severity),
        ];
        self.voice.say(&phrases.bottleneck, &values)
    }

    fn fixes(&self) -> Vec<String> {
        let phrases = &self.voice.pack.funnel;
        let each = self.report.suggested_fixes.iter().map(|f| {
            let text = self.voice.say(
                &phrases.fix,
                &[("fix", &f.fix), ("owner", phrases.owner(f.owner))],
            );
            format!("{}: {text}", phrases.stage(f.bottleneck))
        });
        each.collect()
    }
}
