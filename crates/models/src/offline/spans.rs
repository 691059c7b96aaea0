//! Places in a text, from byte to byte.

use std::ops::Range;

pub(super) fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Whether anything of a place belongs to one of these.
pub(super) fn is_among(places: &[Range<usize>], place: &Range<usize>) -> bool {
    places.iter().any(|other| overlaps(other, place))
}
