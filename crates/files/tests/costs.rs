//! The cost of a hostile photo: at most 64 MB and 2 s, and never a crash. A child process
//! handles the files; the test reads its peak memory and CPU time.

#![expect(
    clippy::unwrap_used,
    reason = "what goes wrong in a helper fails the test that uses it"
)]

use std::io::{Cursor, Read, Write};
use std::process::{Command, Stdio};

use frontdesk_files::accept_picture;
use image::{ColorType, ImageFormat};

const LIMIT: usize = 5_242_880;
const MOST_KB: u64 = 64 * 1024;
const MOST_MS: u64 = 2_000;

const GPS_JPEG: &[u8] = include_bytes!("../fixtures/gps.jpg");
const PROGRESSIVE: &[u8] = include_bytes!("../fixtures/prog.jpg");
const CMYK: &[u8] = include_bytes!("../fixtures/cmyk.jpg");
const PLAIN_PNG: &[u8] = include_bytes!("../fixtures/plain.png");
const GPS_HEIC: &[u8] = include_bytes!("../fixtures/gps.heic");

/// Resource usage of the child process, and the number of accepted files.
#[derive(Debug)]
struct Cost {
    kb: u64,
    ms: u64,
    kept: usize,
}

/// The child process: reads files from its input, each after its length, and accepts them.
#[test]
#[ignore = "the child of the tests beside it; does nothing by itself"]
fn child_accepts_files() {
    let before = status_kb("VmRSS:");
    let spent = processor_ms();
    let mut input = std::io::stdin().lock();
    let mut length = [0; 4];
    let mut kept = 0;
    while input.read_exact(&mut length).is_ok() {
        let mut file = vec![0; u32::from_le_bytes(length) as usize];
        input.read_exact(&mut file).unwrap();
        kept += usize::from(accept_picture(file, LIMIT).is_ok());
    }
    println!(
        "cost {} {} {kept}",
        status_kb("VmHWM:").saturating_sub(before),
        processor_ms() - spent
    );
}

/// A value of `/proc/self/status`, in kB.
fn status_kb(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap()
}

/// CPU time of this process.
fn processor_ms() -> u64 {
    const MS_A_TICK: u64 = 10;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, after_the_name) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = after_the_name.split_whitespace().collect();
    let ticks: u64 = fields[11..13]
        .iter()
        .map(|f| f.parse::<u64>().unwrap())
        .sum();
    ticks * MS_A_TICK
}

fn cost(files: &[Vec<u8>]) -> Cost {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_accepts_files", "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for file in files {
        let length = u32::try_from(file.len()).unwrap();
        input.write_all(&length.to_le_bytes()).unwrap();
        input.write_all(file).unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "the process died: {said}");
    let (_, figures) = said.split_once("cost ").unwrap();
    let line = figures.lines().next().unwrap();
    let figures: Vec<u64> = line.split(' ').map(|f| f.parse().unwrap()).collect();
    Cost {
        kb: figures[0],
        ms: figures[1],
        kept: usize::try_from(figures[2]).unwrap(),
    }
}

/// An empty picture with some noise: small when compressed, large when decoded.
fn picture(width: u32, height: u32, color: ColorType, format: ImageFormat) -> Vec<u8> {
    let size = width as usize * height as usize * usize::from(color.bytes_per_pixel());
    let mut pixels = vec![90; size];
    for at in (0..size).step_by(4_099) {
        pixels[at] = (at % 251) as u8;
    }
    let mut out = Cursor::new(Vec::new());
    image::write_buffer_with_format(&mut out, &pixels, width, height, color, format).unwrap();
    out.into_inner()
}

/// A JPEG whose frame header claims a larger size than its data.
fn claiming(jpeg: &[u8], marker: u8, width: u16, height: u16) -> Vec<u8> {
    let mut jpeg = jpeg.to_vec();
    let frame = jpeg.windows(2).position(|pair| pair == [0xFF, marker]);
    let at = frame.unwrap() + 5;
    jpeg[at..at + 2].copy_from_slice(&height.to_be_bytes());
    jpeg[at + 2..at + 4].copy_from_slice(&width.to_be_bytes());
    jpeg
}

/// A large picture with the maximum number of scans.
fn many_scans() -> Vec<u8> {
    let large = claiming(PROGRESSIVE, 0xC2, 2_400, 1_600);
    let is_marker =
        |pair: &[u8]| pair[0] == 0xFF && pair[1] != 0 && !(0xD0..=0xD7).contains(&pair[1]);
    let scan = large
        .windows(2)
        .position(|pair| pair == [0xFF, 0xDA])
        .unwrap();
    let next = scan + 2 + large[scan + 2..].windows(2).position(is_marker).unwrap();
    let mut jpeg = large[..next].to_vec();
    for _ in 0..63 {
        jpeg.extend_from_slice(&large[scan..next]);
    }
    jpeg.extend_from_slice(&[0xFF, 0xD9]);
    jpeg
}

/// 5 MB of segments without content.
fn padded() -> Vec<u8> {
    let mut jpeg = GPS_JPEG[..2].to_vec();
    while jpeg.len() + 70_000 + GPS_JPEG.len() < LIMIT {
        jpeg.extend_from_slice(&[0xFF, 0xEF, 0xFF, 0xFF]);
        jpeg.resize(jpeg.len() + 65_533, 0x20);
    }
    jpeg.extend_from_slice(&GPS_JPEG[2..]);
    jpeg
}

// design: promises P12 cost
#[test]
fn a_hostile_photo_costs_at_most_64_mb_and_2_s() {
    let heavy: [(&str, Vec<u8>); 12] = [
        (
            "grey, 40 million pixels",
            picture(12_000, 3_333, ColorType::L8, ImageFormat::Png),
        ),
        (
            "colour, as large as is let in",
            picture(4_600, 3_450, ColorType::Rgb8, ImageFormat::Png),
        ),
        (
            "transparent, as large as is let in",
            picture(4_000, 2_900, ColorType::Rgba8, ImageFormat::Png),
        ),
        (
            "two bytes a channel",
            picture(3_300, 2_400, ColorType::Rgb16, ImageFormat::Png),
        ),
        (
            "too large to be opened",
            picture(6_000, 6_000, ColorType::Rgb8, ImageFormat::Png),
        ),
        (
            "JPEG, as large as is let in",
            picture(4_600, 3_450, ColorType::Rgb8, ImageFormat::Jpeg),
        ),
        (
            "JPEG, grey, 40 million pixels",
            picture(12_000, 3_333, ColorType::L8, ImageFormat::Jpeg),
        ),
        (
            "progressive, claiming 4 million pixels",
            claiming(PROGRESSIVE, 0xC2, 2_400, 1_600),
        ),
        (
            "CMYK, claiming 9 million pixels",
            claiming(CMYK, 0xC0, 3_600, 2_500),
        ),
        ("64 scans", many_scans()),
        ("5 MB of nothing before the picture", padded()),
        (
            "a HEIC of 5 MB",
            [GPS_HEIC, &vec![0; LIMIT - GPS_HEIC.len()]].concat(),
        ),
    ];
    let mut worst = Cost {
        kb: 0,
        ms: 0,
        kept: 0,
    };
    for (name, file) in heavy {
        let size = file.len();
        let cost = cost(&[file]);
        println!("{name} ({} kB): {cost:?}", size / 1024);
        assert!(cost.kb <= MOST_KB && cost.ms <= MOST_MS, "{name}: {cost:?}");
        worst.kb = worst.kb.max(cost.kb);
        worst.ms = worst.ms.max(cost.ms);
        worst.kept += cost.kept;
    }
    println!("the worst of them: {} MB, {} ms", worst.kb / 1024, worst.ms);
    assert!(worst.kept >= 5, "most of them are really opened: {worst:?}");
    assert!(
        worst.kb > MOST_KB / 2,
        "the limits are really reached: {worst:?}"
    );
}

/// Truncated and bit-flipped files, 2,000 in one process: none of them ends it.
// design: promises P12 cost
#[test]
fn two_thousand_damaged_photos_do_not_end_the_process() {
    let sources = [GPS_JPEG, PROGRESSIVE, CMYK, PLAIN_PNG, GPS_HEIC];
    let mut seed: u64 = 0x5DEE_CE66;
    let mut next = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap() % most
    };
    let mut files = Vec::new();
    for number in 0..2_000 {
        let mut file = sources[number % sources.len()].to_vec();
        if number % 3 == 0 {
            file.truncate(next(file.len()));
        }
        for _ in 0..next(6) {
            let at = next(file.len().max(1));
            if let Some(byte) = file.get_mut(at) {
                *byte ^= u8::try_from(next(255)).unwrap() + 1;
            }
        }
        files.push(file);
    }
    let cost = cost(&files);
    println!("2,000 damaged files: {cost:?}");
    assert!(cost.kb <= MOST_KB, "{cost:?}");
    assert!(cost.ms <= 2_000 * MOST_MS / 10, "{cost:?}");
    assert!((1..2_000).contains(&cost.kept), "{cost:?}");
}
