//! Uploads at the gate: hostile and broken files leave nothing behind.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::json;

use crate::site::{Answer, JPEG, Kind, Site};

const HEIC: &[u8] = include_bytes!("../../../../crates/files/fixtures/gps.heic");
const PNG: &[u8] = include_bytes!("../../../../crates/files/fixtures/gps.png");
const LIMIT: usize = 5_242_880;

fn png_claiming(width: u32, height: u32) -> Vec<u8> {
    let mut png = PNG.to_vec();
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    png
}

fn padded(to: usize) -> Vec<u8> {
    let mut photo = JPEG.to_vec();
    photo.resize(to, b'x');
    photo
}

/// Description, file, expected status, and for 422 the violated rule.
fn no_photos() -> Vec<(&'static str, Vec<u8>, u16, &'static str)> {
    vec![
        ("0 bytes", vec![], 422, "not_empty"),
        ("6 MB", padded(6_000_000), 413, ""),
        ("one byte too many", padded(LIMIT + 1), 413, ""),
        (
            "truncated JPEG",
            JPEG[..JPEG.len() / 2].to_vec(),
            422,
            "intact",
        ),
        (
            "truncated PNG",
            PNG[..PNG.len() / 2].to_vec(),
            422,
            "intact",
        ),
        (
            "truncated HEIC",
            HEIC[..HEIC.len() - 9].to_vec(),
            422,
            "intact",
        ),
        (
            "program named .jpg",
            b"MZ\x90\0\x03This program cannot be run in DOS mode".to_vec(),
            415,
            "",
        ),
        ("zip", b"PK\x03\x04\x14\0".to_vec(), 415, ""),
        ("pdf", b"%PDF-1.7\n".to_vec(), 415, ""),
        (
            "SVG",
            b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec(),
            415,
            "",
        ),
        (
            "HTML",
            b"<!doctype html><script>1</script>".to_vec(),
            415,
            "",
        ),
        ("WebP", b"RIFF\x24\0\0\0WEBPVP8 ".to_vec(), 415, ""),
        (
            "AVIF",
            b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf".to_vec(),
            415,
            "",
        ),
        ("GIF", b"GIF89a\x01\0\x01\0".to_vec(), 415, ""),
        ("TIFF", b"II*\0\x08\0\0\0".to_vec(), 415, ""),
        ("BMP", b"BM\x46\0\0\0".to_vec(), 415, ""),
        (
            "50,000 × 50,000 pixels",
            png_claiming(50_000, 50_000),
            422,
            "max_pixels",
        ),
        (
            "40,004,000 pixels",
            png_claiming(10_001, 4_000),
            422,
            "max_pixels",
        ),
        (
            "HEIC sequence",
            [HEIC, b"\0\0\0\x10moov\0\0\0\0\0\0\0\0"].concat(),
            422,
            "intact",
        ),
    ]
}

// design: promises P12 content
#[tokio::test]
async fn other_files_are_refused_and_change_nothing() {
    let site = Site::start(Kind::Sqlite).await;
    let number = site.approved_pass(true).await;
    for (what, bytes, status, rule) in no_photos() {
        let answer = site.guard().scan("exit", &number, &bytes).await;
        let (_, message) = answer.refused(status);
        assert!(message.contains("photo"), "{what}: {message}");
        if status == 422 {
            assert_eq!(answer.details()["fields"][0]["rule"], rule, "{what}");
        }
        if status == 415 {
            assert_eq!(
                answer.details()["accepted"],
                json!(["image/jpeg", "image/png", "image/heic"]),
                "{what}"
            );
        }
    }
    assert_eq!(site.stored_photos(), 0);
    assert_eq!(
        site.hr()
            .get(&format!("/hr/gatepass/{number}"))
            .await
            .json()["status"],
        "approved"
    );
    assert_eq!(
        site.guard().scan("exit", &number, JPEG).await.status,
        201,
        "the good one works"
    );
}

#[tokio::test]
async fn the_size_limit_is_exact_and_polyglots_lose_their_tail() {
    let site = Site::start(Kind::Sqlite).await;
    for size in [LIMIT - 1, LIMIT] {
        let number = site.approved_pass(true).await;
        let answer = site.guard().scan("exit", &number, &padded(size)).await;
        assert_eq!(answer.status, 201, "{size}");
        let url = answer.json()["photos"][0]["file_url"]
            .as_str()
            .unwrap()
            .to_owned();
        let kept = site.guard().get(&url).await.bytes;
        assert!(kept.len() < 100_000 && !kept.windows(8).any(|window| window == b"xxxxxxxx"));
    }
}

#[tokio::test]
async fn photos_are_stored_by_their_content_under_names_of_our_own() {
    let site = Site::start(Kind::Sqlite).await;
    let long = "n".repeat(4_096);
    for (file_name, bytes, media_type, shown) in [
        ("../../etc/passwd", JPEG, "image/jpeg", "inline"),
        ("CON", PNG, "image/png", "inline"),
        ("photo\u{202e}gpj.exe", HEIC, "image/heic", "attachment"),
        (long.as_str(), JPEG, "image/jpeg", "inline"),
    ] {
        let number = site.approved_pass(true).await;
        let part = Part::bytes(bytes.to_vec())
            .file_name(file_name.to_owned())
            .mime_str("text/html")
            .unwrap();
        let form = Form::new()
            .text("pass_number", number.clone())
            .part("photo", part);
        let request = site
            .guard()
            .request(Method::POST, "/gate/scan-exit")
            .multipart(form);
        let pass = Answer::of(request).await.of_schema("GatePassDetail");
        assert_eq!(pass["photos"][0]["media_type"], media_type);
        let photo = site
            .hr()
            .get(pass["photos"][0]["file_url"].as_str().unwrap())
            .await;
        assert_eq!(photo.header("content-type"), media_type);
        assert!(
            photo.header("content-disposition").starts_with(shown),
            "{}",
            photo.header("content-disposition")
        );
        assert!(!photo.bytes.windows(9).any(|window| window == b"SECRETCAM"));
        assert_eq!(
            site.admin()
                .get(&format!("/admin/gatepass/{number}/print"))
                .await
                .status,
            200,
            "also with HEIC"
        );
    }
    assert!(!site.folder.path().join("etc").exists());
    assert_eq!(site.stored_photos(), 4);
}

#[tokio::test]
async fn an_endless_upload_is_cut_off() {
    let site = Site::start_with(Kind::Sqlite, chrono::Utc::now, |settings| {
        settings.max_uploads = 1
    })
    .await;
    let head =
        b"--b\r\ncontent-disposition: form-data; name=\"photo\"; filename=\"x\"\r\n\r\n".to_vec();
    let endless = futures_util::stream::unfold(Some(head), |next| async move {
        Some((
            Ok::<_, std::io::Error>(next.unwrap_or_else(|| vec![b'x'; 65_536])),
            None,
        ))
    });
    let request = site
        .guard()
        .request(Method::POST, "/gate/scan-exit")
        .header("content-type", "multipart/form-data; boundary=b");
    let sent = request
        .body(reqwest::Body::wrap_stream(endless))
        .send()
        .await;
    // The server answers and closes while the client is still sending; either may come
    // first.
    if let Ok(response) = sent {
        assert_eq!(response.status(), 413);
    }
    assert_eq!(site.stored_photos(), 0);
    let number = site.approved_pass(true).await;
    assert_eq!(
        site.guard().scan("exit", &number, JPEG).await.status,
        201,
        "its place is free again"
    );
}

#[tokio::test]
async fn uploads_beyond_the_limit_are_turned_away() {
    let site = Site::start_with(Kind::Sqlite, chrono::Utc::now, |settings| {
        settings.max_uploads = 0
    })
    .await;
    let number = site.approved_pass(true).await;
    let answer = site.guard().scan("exit", &number, JPEG).await;
    assert_eq!(answer.refused(429).0, "RATE_LIMITED");
    assert_eq!(answer.header("retry-after"), "1");
    assert_eq!(
        site.hr()
            .get(&format!("/hr/gatepass/{number}"))
            .await
            .json()["status"],
        "approved"
    );
}

#[tokio::test]
async fn the_quota_is_kept_and_a_refused_photo_leaves_nothing() {
    let site = Site::start_with(Kind::Sqlite, chrono::Utc::now, |settings| {
        settings.photo_quota = 4_000
    })
    .await;
    let mut full = 0;
    for _ in 0..6 {
        let number = site.approved_pass(true).await;
        let answer = site.guard().scan("exit", &number, JPEG).await;
        if answer.status == 507 {
            assert_eq!(answer.refused(507).0, "STORAGE_FULL");
            assert_eq!(
                site.hr()
                    .get(&format!("/hr/gatepass/{number}"))
                    .await
                    .json()["status"],
                "approved"
            );
            full += 1;
        }
    }
    assert!(full > 0 && full < 6);
    assert_eq!(site.stored_photos(), 6 - full);
}
