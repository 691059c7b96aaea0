//! Tests of `money`.

use super::{about_dollars, dollars, grouped};

#[test]
fn amounts_are_written_as_people_write_them() {
    assert_eq!(dollars(1645.0), "$1,645");
    assert_eq!(dollars(-2400.0), "−$2,400");
    assert_eq!(dollars(8.5), "$8.50");
    assert_eq!(dollars(0.0), "$0");
    assert_eq!(dollars(-0.001), "$0");
    assert_eq!(about_dollars(1_234_567.4), "$1,234,567");
    assert_eq!(grouped(-1000.0), "−1,000");
}
