//! A stream is parsed block by block, wherever the network splits it.

use super::*;

#[test]
fn an_event_is_read_with_its_position() {
    let told = read("id: 7\nevent: text.delta\ndata: {\"text\":\"a\\nb\"}\n\n").unwrap();
    assert_eq!(told.position, 7);
    let Event::TextDelta { text } = told.event else {
        panic!("{:?}", told.event);
    };
    assert_eq!(text, "a\nb");
}

#[test]
fn comments_and_what_we_do_not_know_are_passed_over() {
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
