//! A Word file: the smallest package that Word and LibreOffice open with headings, lists and tables as such.

use super::{Body, Document, Item, zip};

pub(super) fn render(document: &Document) -> Vec<u8> {
    let body = body(document);
    zip::archive(&[
        ("[Content_Types].xml", CONTENT_TYPES.as_bytes()),
        ("_rels/.rels", RELATIONS.as_bytes()),
        ("word/document.xml", body.as_bytes()),
        (
            "word/_rels/document.xml.rels",
            DOCUMENT_RELATIONS.as_bytes(),
        ),
        ("word/styles.xml", STYLES.as_bytes()),
        ("word/numbering.xml", NUMBERING.as_bytes()),
    ])
}

const NAMESPACE: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
/// The bullet list of [`NUMBERING`].
const BULLETS: usize = 1;

fn body(document: &Document) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:document xmlns:w=\"{NAMESPACE}\"><w:body>"
    );
    paragraph(&mut xml, Look::Style("Title"), &document.title);
    if let Some(line) = document.fallback_line() {
        paragraph(&mut xml, Look::Plain, line);
    }
    for section in &document.sections {
        if !section.heading.is_empty() {
            paragraph(&mut xml, Look::Style("Heading1"), &section.heading);
        }
        match &section.body {
            Body::Paragraphs(texts) => texts.iter().for_each(|text| prose(&mut xml, text)),
            Body::Items(items) => items.iter().for_each(|each| item(&mut xml, each)),
            Body::Table { header, rows } => table(&mut xml, header, rows),
        }
    }
    xml.push_str(
        "<w:sectPr><w:pgSz w:w=\"11906\" w:h=\"16838\"/>\
         <w:pgMar w:top=\"1417\" w:right=\"1417\" w:bottom=\"1417\" w:left=\"1417\" w:header=\"708\" w:footer=\"708\" w:gutter=\"0\"/>\
         </w:sectPr></w:body></w:document>",
    );
    xml
}

/// Quotes and the rewrite stand under their item, indented.
fn item(xml: &mut String, item: &Item) {
    let text = match item.heading() {
        Some(heading) => format!("{heading}: {}", item.text),
        None => item.text.clone(),
    };
    paragraph(xml, Look::List, &text);
    for quote in &item.quotes {
        let text = format!("“{}” ({})", quote.quote, quote.source);
        paragraph(xml, Look::Style("ListParagraph"), &text);
    }
    if let Some(rewrite) = &item.rewrite {
        let text = format!("→ {rewrite}");
        paragraph(xml, Look::Style("ListParagraph"), &text);
    }
}

#[derive(Clone, Copy)]
enum Look {
    Plain,
    Style(&'static str),
    List,
    TableHead,
}

/// Lines of a text that begin with our round bullet become list items; an empty line parts paragraphs.
fn prose(xml: &mut String, text: &str) {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let bullet = line.strip_prefix("• ");
        if (bullet.is_some() || line.is_empty()) && !lines.is_empty() {
            paragraph(xml, Look::Plain, &lines.join("\n"));
            lines.clear();
        }
        match bullet {
            Some(item) => paragraph(xml, Look::List, item),
            None if line.is_empty() => {}
            None => lines.push(line),
        }
    }
    if !lines.is_empty() {
        paragraph(xml, Look::Plain, &lines.join("\n"));
    }
}

fn paragraph(xml: &mut String, look: Look, text: &str) {
    xml.push_str("<w:p>");
    match look {
        Look::Plain | Look::TableHead => {}
        Look::Style(style) => xml.push_str(&format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>")),
        Look::List => xml.push_str(&format!(
            "<w:pPr><w:pStyle w:val=\"ListParagraph\"/><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"{BULLETS}\"/></w:numPr></w:pPr>"
        )),
    }
    for (i, line) in text.split('\n').enumerate() {
        let bold = if matches!(look, Look::TableHead) {
            "<w:rPr><w:b/></w:rPr>"
        } else {
            ""
        };
        let line_break = if i > 0 { "<w:br/>" } else { "" };
        if !line.is_empty() || i > 0 {
            let text = escape(line);
            xml.push_str(&format!(
                "<w:r>{bold}{line_break}<w:t xml:space=\"preserve\">{text}</w:t></w:r>"
            ));
        }
    }
    xml.push_str("</w:p>");
}

fn table(xml: &mut String, header: &[String], rows: &[Vec<String>]) {
    xml.push_str("<w:tbl><w:tblPr><w:tblStyle w:val=\"TableGrid\"/><w:tblW w:w=\"0\" w:type=\"auto\"/></w:tblPr><w:tblGrid>");
    let width = 9000 / header.len().max(1);
    for _ in header {
        xml.push_str(&format!("<w:gridCol w:w=\"{width}\"/>"));
    }
    xml.push_str("</w:tblGrid>");
    row(xml, header, Look::TableHead, width);
    for cells in rows {
        row(xml, cells, Look::Plain, width);
    }
    // Word needs a paragraph between a table and what follows.
    xml.push_str("</w:tbl><w:p/>");
}

fn row(xml: &mut String, cells: &[String], look: Look, width: usize) {
    xml.push_str("<w:tr>");
    for cell in cells {
        xml.push_str(&format!(
            "<w:tc><w:tcPr><w:tcW w:w=\"{width}\" w:type=\"dxa\"/></w:tcPr>"
        ));
        paragraph(xml, look, cell);
        xml.push_str("</w:tc>");
    }
    xml.push_str("</w:tr>");
}

/// XML text; control characters that XML 1.0 forbids are left out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' => out.push('\t'),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => out.push(c),
        }
    }
    out
}

const NUMBERING: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>"#;

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/></Types>"#;

const RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;

const DOCUMENT_RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/></Relationships>"#;

const STYLES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri" w:eastAsia="Calibri"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:spacing w:after="240"/></w:pPr><w:rPr><w:b/><w:sz w:val="36"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="28"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="160" w:after="60"/><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/><w:sz w:val="24"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="60"/><w:ind w:left="720"/></w:pPr></w:style><w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style><w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders><w:top w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:left w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:bottom w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:right w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:insideH w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:insideV w:val="single" w:sz="4" w:space="0" w:color="auto"/></w:tblBorders></w:tblPr></w:style></w:styles>"#;
