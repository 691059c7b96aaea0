//! Tests of `screen`.

use super::step_line;

#[test]
fn titles_and_quotations_are_left_to_the_text_that_follows() {
    assert_eq!(step_line("# Job ad: Analyst\n\nText"), "");
    assert_eq!(step_line("> A card is valid for ten minutes. [1]"), "");
    assert_eq!(step_line("Created pass 13.\nMore"), "Created pass 13.");
}
