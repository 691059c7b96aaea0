//! The lists of settings of all assistants, made one while compiling.

use frontdesk_core::setting::Setting;

pub(crate) const fn count(lists: &[&[Setting]]) -> usize {
    let mut total = 0;
    let mut list = 0;
    while list < lists.len() {
        total += lists[list].len();
        list += 1;
    }
    total
}

/// One list of them all. A constant, so that nothing is read before it is checked.
pub(crate) const fn joined<const N: usize>(lists: &[&[Setting]]) -> [Setting; N] {
    let mut all = [lists[0][0]; N];
    let (mut at, mut list) = (0, 0);
    while list < lists.len() {
        let mut item = 0;
        while item < lists[list].len() {
            all[at] = lists[list][item];
            at += 1;
            item += 1;
        }
        list += 1;
    }
    all
}
