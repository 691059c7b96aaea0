//! Tests of `brand`.

use serde_json::Value;

use super::{Brand, Logo};
use crate::config::BrandSettings;

const BUILT: &str = "<!doctype html><html lang=\"en\"><head><title>Frontdesk</title>\
    <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\" /></head></html>";

fn settings(name: &str) -> BrandSettings {
    BrandSettings {
        name: name.to_owned(),
        logo: None,
        accent: None,
    }
}

#[test]
fn without_settings_nothing_changes() {
    let brand = Brand::load(&settings("Frontdesk")).unwrap();
    assert!(brand.is_default());
    assert_eq!(brand.stylesheet(), None);
}

#[test]
fn a_name_is_text_and_not_markup() {
    let brand = Brand::load(&settings("A & \"B\" <script>")).unwrap();
    let page = brand.page(BUILT);
    assert!(page.contains("<title>A &amp; &quot;B&quot; &lt;script&gt;</title>"));
    assert!(page.contains("data-brand=\"A &amp; &quot;B&quot; &lt;script&gt;\""));
    assert!(!page.contains("<script>"));
}

#[test]
fn the_logo_and_the_colour_are_linked() {
    let folder = tempfile::tempdir().unwrap();
    let logo = folder.path().join("logo.svg");
    std::fs::write(&logo, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    let brand = Brand::load(&BrandSettings {
        name: "Acme".to_owned(),
        logo: Some(logo),
        accent: "#aa3300".parse().ok(),
    })
    .unwrap();
    let page = brand.page(BUILT);
    assert!(page.contains("data-logo"));
    assert!(page.contains("<link rel=\"icon\" href=\"/brand/logo\" type=\"image/svg+xml\" />"));
    assert!(page.contains("<link rel=\"stylesheet\" href=\"/brand/style.css\" /></head>"));
    let manifest = brand.manifest("{\"name\": \"Frontdesk\", \"display\": \"standalone\"}");
    let manifest: Value = serde_json::from_str(&manifest.unwrap()).unwrap();
    assert_eq!(manifest["name"], "Acme");
    assert_eq!(manifest["display"], "standalone");
    assert_eq!(manifest["theme_color"], "#aa3300");
    assert_eq!(manifest["icons"][0]["src"], "/brand/logo");
}

#[test]
fn a_logo_is_a_small_svg_or_png() {
    assert_eq!(
        Logo::parse(b"\x89PNG\r\n\x1a\nrest".to_vec())
            .unwrap()
            .media_type,
        "image/png"
    );
    assert!(Logo::parse(b"<html></html>".to_vec()).is_err());
    let large = [b"<svg>".to_vec(), vec![b' '; 300 * 1024]].concat();
    assert!(Logo::parse(large).is_err());
}
