//! Every supported format, and deliberately broken files.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;

use super::{Document, ExtractError, Format, document};

fn html(source: &str) -> Document {
    document(source.as_bytes(), Format::Html, None).unwrap()
}

#[test]
fn a_page_becomes_markdown() {
    let page = html(
        r#"<!doctype html><html><head><title>Approvals &amp; you</title>
        <style>p { color: red }</style><script>alert("x")</script></head>
        <body><header><h1>Site name</h1><nav><a href="/">Home</a></nav></header>
        <main><article><h1>How approvals work</h1>
        <p>A person <b>decides</b> each&nbsp;call on a
           card.</p>
        <ul><li>sealed</li><li><p>single use</p></li></ul>
        <ol><li>ask</li><li>decide</li></ol>
        <pre><code>frontdesk approvals list
  frontdesk approvals approve</code></pre>
        <table><tr><th>role</th><th>may</th></tr><tr><td>Admin_User</td><td>decide | reject</td></tr></table>
        <p>More text so that this part is long enough to be the main content of the page, which needs
        two hundred characters of it at least, and here they are.</p>
        </article></main>
        <aside>Advertisement</aside><footer>Imprint</footer></body></html>"#,
    );
    assert_eq!(page.title, "Approvals & you");
    for kept in [
        "# How approvals work\n",
        "A person decides each call on a card.",
        "- sealed\n- single use",
        "1. ask\n2. decide",
        "```\nfrontdesk approvals list\n  frontdesk approvals approve\n```",
        "| role | may |\n|---|---|\n| Admin_User | decide / reject |",
    ] {
        assert!(
            page.text.contains(kept),
            "{kept:?} is not in\n{}",
            page.text
        );
    }
    for gone in [
        "alert",
        "color: red",
        "Site name",
        "Home",
        "Advertisement",
        "Imprint",
    ] {
        assert!(!page.text.contains(gone), "{gone:?} is in\n{}", page.text);
    }
    assert_eq!(page.links.to, ["/"]);
}

#[test]
fn a_heading_that_links_to_the_contents_keeps_its_text() {
    let page = html(
        "<nav class='contents'><ul class='toc-list'><li>Contents</li></ul></nav><h2><a class='toc-backref' href='#id1'>Why are values shared?</a><a class='headerlink' href='#x'>¶</a></h2><p>Because of x.</p>",
    );
    assert_eq!(
        page.text.trim(),
        "## Why are values shared?\n\nBecause of x."
    );
}

#[test]
fn the_label_of_a_remark_begins_no_section() {
    let page = html(
        "<h2>Usage</h2><div class='note'><h3 class='title'>Note</h3><p>It is slow.</p></div><p>Then.</p>",
    );
    assert_eq!(page.text.trim(), "## Usage\n\nNote\n\nIt is slow.\n\nThen.");
}

#[test]
fn line_breaks_separate_the_words_of_a_term() {
    let page = html("<dl><dt>-p port<br>--port=port</dt><dd><p>The port.</p></dd></dl>");
    assert_eq!(page.text.trim(), "#### -p port --port=port\n\nThe port.");
}

#[test]
fn a_page_without_a_title_takes_its_first_heading() {
    let page = html("<body><h1>Only <i>this</i></h1><p>text</p></body>");
    assert_eq!(page.title, "Only this");
    assert!(page.text.starts_with("# Only this"));
}

#[test]
fn robots_meta_is_read() {
    let page = html(r#"<meta name="ROBOTS" content="noindex, nofollow"><p>x</p>"#);
    assert!(page.links.no_index && page.links.no_follow);
}

#[test]
fn old_encodings_are_understood() {
    let declared = b"<meta charset=windows-1252><p>Pr\xfcfung</p>";
    let page = document(declared, Format::Html, None).unwrap();
    assert_eq!(page.text, "Pr\u{fc}fung");
    let by_server = document(
        b"\xcf\xf0\xe8\xe2\xe5\xf2",
        Format::Text,
        Some("windows-1251"),
    );
    assert_eq!(by_server.unwrap().text, "Привет");
}

#[test]
fn invalid_utf8_is_read_as_the_western_encoding() {
    let text = document(b"caf\xe9 and na\xefve\n", Format::Text, None).unwrap();
    assert_eq!(text.text, "caf\u{e9} and na\u{ef}ve\n");
}

#[test]
fn binary_data_is_refused() {
    let noise: Vec<u8> = (0..=255_u8).cycle().take(4_000).collect();
    for bytes in [noise.as_slice(), b"\x7fELF\x02\x01\x01\0\0\0\0\0"] {
        assert_eq!(
            document(bytes, Format::Text, None),
            Err(ExtractError::Binary)
        );
    }
}

#[test]
fn a_file_of_200_megabytes_is_refused() {
    let large = vec![b'a'; 200 * 1024 * 1024];
    let refused = document(&large, Format::Text, None).unwrap_err();
    assert_eq!(refused, ExtractError::TooLarge(200));
    assert_eq!(
        refused.to_string(),
        "the file has 200 MB; at most 50 MB are accepted"
    );
}

#[test]
fn markdown_keeps_its_text_and_names_its_title() {
    let page = document(
        b"---\ntitle: \"A guide\"\n---\n# Other\n\nText",
        Format::Markdown,
        None,
    )
    .unwrap();
    assert_eq!(
        (page.title.as_str(), page.text.as_str()),
        ("A guide", "# Other\n\nText")
    );
}

/// Builds a zip archive with compressed members.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in members {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const DOCX: &str = r#"<?xml version="1.0"?><w:document xmlns:w="w"><w:body>
<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Leave policy</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">Everyone has 30 days &amp; </w:t></w:r><w:r><w:t>more.</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:t>ask early</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>kind</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>days</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>paid</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>30</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
</w:body></w:document>"#;

#[test]
fn a_word_document_becomes_markdown() {
    let file = archive(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", DOCX.as_bytes()),
    ]);
    let found = document(&file, Format::Archive, None).unwrap();
    assert_eq!(found.title, "Leave policy");
    assert_eq!(
        found.text,
        "# Leave policy\n\nEveryone has 30 days & more.\n\n- ask early\n| kind | days |\n|---|---|\n| paid | 30 |\n\n"
    );
}

#[test]
fn a_zip_bomb_is_not_unpacked() {
    let huge = vec![b' '; 300 * 1024 * 1024];
    let bomb = archive(&[("word/document.xml", &huge)]);
    assert!(bomb.len() * 50 < huge.len());
    assert_eq!(
        document(&bomb, Format::Archive, None),
        Err(ExtractError::Bomb)
    );
}

#[test]
fn broken_archives_are_refused() {
    let good = archive(&[("word/document.xml", DOCX.as_bytes())]);
    for length in [4, 30, good.len() / 2, good.len() - 4] {
        assert!(document(&good[..length], Format::Archive, None).is_err());
    }
    let other = archive(&[("mimetype", b"application/epub+zip")]);
    assert!(matches!(
        document(&other, Format::Archive, None),
        Err(ExtractError::Damaged(why)) if why.contains("not a Word")
    ));
}

/// Builds a PDF of one page with this content stream.
fn pdf(content: &str) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [200 /eacute /germandbls] >> >>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let start = file.len();
    file.push_str(&format!(
        "xref\n0 {}\n0000000000 65535 f \n",
        objects.len() + 1
    ));
    for offset in offsets {
        file.push_str(&format!("{offset:010} 00000 n \n"));
    }
    file.push_str(&format!(
        "trailer << /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    ));
    file.into_bytes()
}

#[test]
fn a_pdf_becomes_text() {
    let content = "BT /F1 12 Tf 72 770 Td (Leave policy) Tj 0 -30 Td [(Every) -20 (one has) -300 (30 days of leave, cut at the mar-)] TJ 0 -14 Td (gin. Caf\\310.) Tj ET";
    let found = document(&pdf(content), Format::Pdf, None).unwrap();
    assert_eq!(
        found.text.trim(),
        "Leave policy\n\nEveryone has 30 days of leave, cut at the margin. Caf\u{e9}."
    );
}

#[test]
fn a_pdf_without_text_says_what_to_do() {
    let refused = document(&pdf("0 0 100 100 re f"), Format::Pdf, None).unwrap_err();
    assert_eq!(refused, ExtractError::Scanned);
    assert!(refused.to_string().contains("text recognition"));
}

#[test]
fn a_broken_pdf_is_refused() {
    assert!(matches!(
        document(b"%PDF-1.7 and nothing", Format::Pdf, None),
        Err(ExtractError::Damaged(_) | ExtractError::Scanned)
    ));
}

proptest! {
    #[test]
    fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        for format in [Format::Html, Format::Markdown, Format::Text, Format::Archive, Format::Pdf] {
            let _ = document(&bytes, format, None);
        }
        let _ = document(&[b"%PDF-1.4\n".as_slice(), &bytes].concat(), Format::Pdf, None);
        let _ = document(&[b"PK\x03\x04".as_slice(), &bytes].concat(), Format::Archive, None);
    }

    #[test]
    fn no_markup_survives(text in "(<[a-z/!]{0,3}|>|[a-z ]|&[a-z#0-9]{0,4};?|\"|=){0,200}") {
        // Escaped text (`&lt;p`, a stray `<`) stays text; markup is removed.
        let page = html(&format!("<p>begin {text}</p>"));
        prop_assert!(page.text.starts_with("begin"), "{}", page.text);
        prop_assert!(!page.text.trim_end().ends_with("</p>"), "{}", page.text);
    }

    #[test]
    fn a_flipped_bit_causes_no_panic(at in 0_usize..1_000, bit in 0_u8..8) {
        let mut file = archive(&[("word/document.xml", DOCX.as_bytes())]);
        let at = at % file.len();
        file[at] ^= 1 << bit;
        let _ = document(&file, Format::Archive, None);
        let mut file = pdf("BT /F1 12 Tf (text) Tj ET");
        let at = at % file.len();
        file[at] ^= 1 << bit;
        let _ = document(&file, Format::Pdf, None);
    }
}

#[test]
fn navigation_is_left_out_and_nested_tables_are_kept() {
    let page = html(
        r#"<body><div class="navheader"><a href="a">Prev</a></div>
        <div role="navigation"><div>menu</div> LEAK</div>
        <h1>Title<a class="headerlink" href="/x">¶</a></h1>
        <table><tr><th>a</th><th>b</th></tr>
        <tr><td>outer <table><tr><td>inner</td><td>cell</td></tr></table> after</td><td>two</td></tr></table>
        <p>&alpha; &frac12; &hearts; a_b [5]</p>
        <dl><dt>FULL</dt><dd><p>Locks the table.</p></dd></dl></body>"#,
    );
    assert_eq!(
        page.text,
        "# Title\n\n| a | b |\n|---|---|\n| outer / inner / cell / /---/---/ after | two |\n\nα ½ ♥ a_b [5]\n\n#### FULL\n\nLocks the table."
    );
}

#[test]
fn pages_that_would_take_quadratic_time_are_refused() {
    let deep = "<div>".repeat(200_000);
    let attributes = format!("<p {}>x</p>", "a ".repeat(2_000_000));
    for (page, why) in [(deep, "nested"), (attributes, "attributes")] {
        let refused = document(page.as_bytes(), Format::Html, None).unwrap_err();
        assert!(refused.to_string().contains(why), "{refused}");
    }
    let list = format!("<ul>{}</ul>", "<li>item <br>".repeat(5_000));
    assert!(document(list.as_bytes(), Format::Html, None).is_ok());
}

#[test]
fn old_encodings_are_guessed() {
    let russian = "Пропуск действует один день. Его выдаёт охрана на входе в здание.";
    let japanese = "入館証は一日だけ有効です。警備員が入口で発行します。";
    let chinese = "通行证有效期为一天。由保安在入口处签发。请随身携带。";
    for (encoding, text) in [
        (encoding_rs::WINDOWS_1251, russian),
        (encoding_rs::KOI8_R, russian),
        (encoding_rs::SHIFT_JIS, japanese),
        (encoding_rs::GB18030, chinese),
    ] {
        let (bytes, ..) = encoding.encode(text);
        let found = document(&bytes, Format::Text, None).unwrap();
        assert_eq!(found.text, text, "{}", encoding.name());
    }
    let wide: Vec<u8> = "no mark"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(document(&wide, Format::Text, None).unwrap().text, "no mark");
}

#[test]
fn slides_sheets_and_books_become_markdown() {
    let slide = br#"<p:sld xmlns:p="p" xmlns:a="a"><p:sp><p:nvPr><p:ph type="title"/></p:nvPr><a:p><a:r><a:t>Goals</a:t></a:r></a:p></p:sp><p:sp><a:p><a:r><a:t>Fewer calls &amp; mails</a:t></a:r></a:p></p:sp></p:sld>"#;
    let slides = archive(&[
        ("ppt/presentation.xml", b"<p/>".as_slice()),
        ("ppt/slides/slide1.xml", slide),
    ]);
    let found = document(&slides, Format::Archive, None).unwrap();
    assert_eq!(found.text, "## Slide 1: Goals\n\n- Fewer calls & mails\n\n");

    let sheet = br#"<worksheet><sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>days</t></is></c></row><row><c t="s"><v>1</v></c><c><v>30</v></c></row></sheetData></worksheet>"#;
    let sheets = archive(&[
        (
            "xl/workbook.xml",
            br#"<workbook><sheets><sheet name="Leave"/></sheets></workbook>"#.as_slice(),
        ),
        (
            "xl/sharedStrings.xml",
            b"<sst><si><t>kind</t></si><si><t>paid</t></si></sst>",
        ),
        ("xl/worksheets/sheet1.xml", sheet),
    ]);
    let found = document(&sheets, Format::Archive, None).unwrap();
    assert_eq!(
        found.text,
        "## Leave\n\n| kind | days |\n|---|---|\n| paid | 30 |\n\n"
    );

    let book = archive(&[
        ("META-INF/container.xml", br#"<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>"#.as_slice()),
        ("OPS/book.opf", br#"<package><metadata><dc:title xmlns:dc="d">The guide</dc:title></metadata><manifest><item id="b" href="b.xhtml"/><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>"#),
        ("OPS/a.xhtml", b"<html><body><h1>One</h1><p>First.</p></body></html>"),
        ("OPS/b.xhtml", b"<html><body><h1>Two</h1><p>Second.</p></body></html>"),
    ]);
    let found = document(&book, Format::Archive, None).unwrap();
    assert_eq!(found.title, "The guide");
    assert_eq!(found.text, "# One\n\nFirst.\n\n# Two\n\nSecond.\n\n");
}

#[test]
fn front_matter_is_metadata() {
    let page = document(
        b"---\ntitle: A guide\ndepartment: \"hr\"\ntags: [a, b]\n  nested: x\n---\nText\n",
        Format::Markdown,
        None,
    )
    .unwrap();
    let metadata: Vec<(&str, &str)> = page
        .metadata
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    assert_eq!(page.title, "A guide");
    assert_eq!(
        metadata,
        [("department", "hr"), ("nested", "x"), ("tags", "[a, b]")]
    );
}

#[test]
fn a_pdf_bomb_is_refused_before_it_is_unpacked() {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let line = b"BT /F1 12 Tf (x) Tj ET\n".repeat(1_000);
    for _ in 0..4_000 {
        encoder.write_all(&line).unwrap();
    }
    let packed = encoder.finish().unwrap();
    let mut file = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>\nendobj\n".to_vec();
    file.extend(
        format!(
            "4 0 obj\n<< /Filter /FlateDecode /Length {} >>\nstream\n",
            packed.len()
        )
        .bytes(),
    );
    file.extend(packed);
    file.extend(b"\nendstream\nendobj\ntrailer << /Size 5 /Root 1 0 R >>\n%%EOF\n");
    assert_eq!(document(&file, Format::Pdf, None), Err(ExtractError::Bomb));
}
