//! Sitemaps and sitemap indexes: compressed, malformed or endless.

use proptest::prelude::*;

use super::{Sitemap, parse};

#[test]
fn pages_and_further_sitemaps_are_read() {
    let pages = parse(b"<?xml version='1.0'?><urlset xmlns='x'><url><loc> https://a.example/1?x=1&amp;y=2 </loc><lastmod>2026</lastmod></url><url><loc><![CDATA[https://a.example/2]]></loc></url></urlset>");
    assert_eq!(
        pages,
        Some(Sitemap {
            pages: vec![
                "https://a.example/1?x=1&y=2".to_owned(),
                "https://a.example/2".to_owned()
            ],
            sitemaps: Vec::new(),
        })
    );
    let index = parse(
        b"<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>",
    )
    .unwrap();
    assert_eq!(index.sitemaps, ["https://a.example/s.xml"]);
}

#[test]
fn a_page_is_not_a_sitemap() {
    assert_eq!(parse(b"<html><body>hello</body></html>"), None);
    assert_eq!(parse(b""), None);
    assert_eq!(parse(b"<loc>https://a.example</loc>"), None);
}

proptest! {
    #[test]
    fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse(&bytes);
    }
}
