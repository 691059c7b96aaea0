//! Tests of `shortlist`.

use super::{MOST_ROBOTS, Shortlist};

#[test]
fn a_robot_is_on_it_once_and_not_too_many_are() {
    let mut list = Shortlist::default();
    for sku in ["a", "b", "a", "c", "d", "e"] {
        list.add(sku).unwrap();
    }
    assert_eq!(list.robots, ["a", "b", "c", "d", "e"]);
    assert!(list.add("f").unwrap_err().contains("Remove one first"));
    assert_eq!(list.robots.len(), MOST_ROBOTS);
    assert!(list.remove("b") && !list.remove("b"));
    assert_eq!(list.robots, ["a", "c", "d", "e"]);
}
