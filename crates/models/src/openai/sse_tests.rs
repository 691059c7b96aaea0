//! Event streams with all line endings, and lines and events without end.

use proptest::prelude::*;

use super::{MAX_BYTES, Splitter, TooLong};

/// The data of all events; those named `error` are marked.
fn split<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
    let mut splitter = Splitter::default();
    let mut events = Vec::new();
    let mut keep = |event: super::Event<'_>| {
        let mark = if event.is_error { "error " } else { "" };
        events.push(format!("{mark}{}", String::from_utf8_lossy(event.data)));
        Ok::<(), TooLong>(())
    };
    for piece in pieces {
        splitter.feed(piece, &mut keep).unwrap();
    }
    splitter.finish(&mut keep).unwrap();
    events
}

#[track_caller]
fn check(stream: &str, expected: &[&str]) {
    assert_eq!(split([stream.as_bytes()]), expected, "in one piece");
    assert_eq!(split(stream.as_bytes().chunks(1)), expected, "byte by byte");
}

#[test]
fn lines_end_with_lf_cr_or_both() {
    check("data: a\n\ndata: b\n\n", &["a", "b"]);
    check("data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]);
    check("data: a\r\rdata: b\r\r", &["a", "b"]);
    check("data: a\r\n\ndata: b\r\r\n", &["a", "b"]);
}

#[test]
fn data_on_several_lines_is_joined() {
    check("data: {\ndata:  \"a\":1\ndata:}\n\n", &["{\n \"a\":1\n}"]);
    check("data\ndata\n\n", &["\n"]);
}

#[test]
fn marks_comments_and_other_fields_are_skipped() {
    check(
        "\u{feff}: hello\nid: 1\nretry: 5\ndata: a\ndatabase: x\nevent\n\n:\n\n\n",
        &["a"],
    );
    check("\u{feff}data: a\n\n", &["a"]);
}

#[test]
fn an_error_event_is_marked() {
    check("event: error\ndata: x\n\ndata: y\n\n", &["error x", "y"]);
    check("event: error\n\ndata: y\n\n", &["y"]);
}

#[test]
fn the_end_of_the_stream_ends_the_event() {
    check("data: [DONE]", &["[DONE]"]);
    check("data: [DONE]\n", &["[DONE]"]);
    check("", &[]);
}

#[test]
fn a_line_without_end_is_refused() {
    let mut splitter = Splitter::default();
    let mut refused = None;
    let block = vec![b'x'; 64 * 1024];
    for fed in 0..64 {
        if splitter.feed(&block, |_| Ok::<(), TooLong>(())).is_err() {
            refused = Some(fed * block.len());
            break;
        }
    }
    assert_eq!(refused, Some(MAX_BYTES));
}

#[test]
fn an_event_without_end_is_refused() {
    let mut splitter = Splitter::default();
    let line = format!("data: {}\n", "x".repeat(1000));
    let fed = (0..2000).take_while(|_| {
        splitter
            .feed(line.as_bytes(), |_| Ok::<(), TooLong>(()))
            .is_ok()
    });
    assert!(fed.count() < 1050);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_cut_of_any_stream_yields_the_same_events(
        lines in prop::collection::vec(
            prop_oneof![
                "data: ?[a-zé\u{1F600}]{0,6}", Just(String::new()), Just(":x".to_owned()), Just("event: error".to_owned()),
            ],
            0..12,
        ),
        ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r", "\r\n"]), 12),
        cuts in prop::collection::vec(0usize..200, 0..8),
    ) {
        // A CR before the LF of the next line would merge into one line ending, which is a
        // different stream.
        let stream: String = lines.iter().zip(&ends).map(|(line, end)| format!("{line}{end}")).collect();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (stream.len() + 1)).collect();
        cuts.push(0);
        cuts.push(stream.len());
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|w| &stream.as_bytes()[w[0]..w[1]]);
        prop_assert_eq!(split(pieces), split([stream.as_bytes()]));
    }

    #[test]
    fn no_bytes_make_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        split([bytes.as_slice()]);
    }
}
