//! Sitemaps: lists of pages, or of further sitemaps.

use quick_xml::Reader;
use quick_xml::events::Event;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sitemap {
    pub(super) pages: Vec<String>,
    pub(super) sitemaps: Vec<String>,
}

/// Parses a sitemap; `None` if it is not one.
pub(super) fn parse(xml: &[u8]) -> Option<Sitemap> {
    let mut reader = Reader::from_reader(xml);
    let mut sitemap = Sitemap::default();
    let mut is_index = None;
    let mut address: Option<String> = None;
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) => match tag.local_name().as_ref() {
                b"urlset" => is_index = Some(false),
                b"sitemapindex" => is_index = Some(true),
                b"loc" => address = Some(String::new()),
                _ => {}
            },
            Event::Text(text) => {
                if let Some(address) = &mut address {
                    address.push_str(&text.decode().ok()?);
                }
            }
            Event::CData(text) => {
                if let Some(address) = &mut address {
                    address.push_str(&String::from_utf8_lossy(&text));
                }
            }
            Event::GeneralRef(name) if *name == *b"amp" => {
                if let Some(address) = &mut address {
                    address.push('&');
                }
            }
            Event::End(tag) if tag.local_name().as_ref() == b"loc" => {
                if let Some(address) = address.take() {
                    let address = address.trim().to_owned();
                    match is_index? {
                        true => sitemap.sitemaps.push(address),
                        false => sitemap.pages.push(address),
                    }
                }
            }
            Event::Eof => break,
            Event::End(_)
            | Event::Empty(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_)
            | Event::GeneralRef(_) => {}
        }
    }
    is_index.map(|_| sitemap)
}

#[cfg(test)]
#[path = "sitemap_tests.rs"]
mod sitemap_tests;
