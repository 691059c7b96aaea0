//! Words, plain text and short text.

use super::{free_name, literal_segments, plain_text, shortened, twins, words};

#[test]
fn identifiers_of_every_style_split_into_words() {
    for (text, expected) in [
        ("cancelOrder", vec!["cancel", "order"]),
        ("getURLById", vec!["get", "url", "by", "id"]),
        ("MARK_read-all", vec!["mark", "read", "all"]),
        ("repos/list-for-org", vec!["repos", "list", "for", "org"]),
        ("oauth2Token", vec!["oauth2", "token"]),
        ("", vec![]),
        ("__", vec![]),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn versions_and_parameters_are_no_literal_segments() {
    let segments: Vec<&str> = literal_segments("/api/v1/tickets/{id}/close").collect();
    assert_eq!(segments, ["tickets", "close"]);
}

#[test]
fn long_text_ends_at_a_sentence_or_word() {
    assert_eq!(
        shortened("Lists tickets.  Newest first.", 40),
        "Lists tickets. Newest first."
    );
    assert_eq!(
        shortened("Lists tickets. Newest first and more", 25),
        "Lists tickets."
    );
    assert_eq!(
        shortened("Lists all tickets of a desk", 20),
        "Lists all tickets…"
    );
    assert_eq!(shortened("ÄÖÜäöüßÄÖÜäöüß", 5), "ÄÖÜä…");
}

#[test]
fn markdown_and_html_become_plain_text() {
    for (text, expected) in [
        (
            "**Lists** `tickets`, see [here](https://x.example).",
            "Lists tickets, see here.",
        ),
        ("<p>A &lt; b</p><br/>next", "A &lt; b next"),
        ("a < b and [x]", "a < b and [x]"),
        ("unclosed <tag", "unclosed"),
        ("hid\u{200B}den", "hidden"),
    ] {
        assert_eq!(plain_text(text), expected, "{text}");
    }
}

#[test]
fn a_taken_name_gets_a_number() {
    let known = ["get_x", "get_x_2"];
    let free = |name| free_name(name, |name| known.contains(&name));
    assert_eq!(
        (free("get_x"), free("get_y")),
        ("get_x_3".to_owned(), "get_y".to_owned())
    );
}

#[test]
fn only_nearly_equal_descriptions_are_twins() {
    let found = twins(&[
        ("get_user", "Gets a user by id"),
        ("fetch_user", "Gets a user by its id"),
        ("list_users", "Lists the users of a company, newest first"),
        ("empty", ""),
    ]);
    assert_eq!(found, [("get_user", "fetch_user")]);
}
