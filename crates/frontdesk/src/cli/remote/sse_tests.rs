//! A stream is parsed block by block, wherever the network splits it.

use super::*;

#[test]
fn an_event_is_read_with_its_position() {
    let received = read("id: 7\nevent: text.delta\ndata: {\"text\":\"a\\nb\"}\n\n").unwrap();
    assert_eq!(received.position, 7);
    let Event::TextDelta { text } = received.event else {
        panic!("{:?}", received.event);
    };
    assert_eq!(text, "a\nb");
}

#[test]
fn comments_and_unknown_events_are_skipped() {
    for block in [
        ": keep-alive\n\n",
        "event: shutdown\nretry: 2000\ndata: {}\n\n",
        "event: something.new\ndata: {\"x\":1}\n\n",
        "data: not json\n\n",
        "\n\n",
    ] {
        assert!(read(block).is_none(), "{block:?}");
    }
}
