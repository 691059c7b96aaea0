//! Du or Sie: chosen by context once for a project, then kept.

use super::desk::Desk;
use super::language::GermanAddress;
use super::style_guide::AddressRule;
use super::text::words::words;

/// The company's rule wins, then what the project already uses, then the words of the text. Without a sign it is Sie.
pub(crate) fn german_address(desk: &Desk<'_>, context: &str) -> GermanAddress {
    match (desk.style.file().german_address, desk.german_address) {
        (AddressRule::Du, _) => GermanAddress::Du,
        (AddressRule::Sie, _) => GermanAddress::Sie,
        (AddressRule::Auto, Some(kept)) => kept,
        (AddressRule::Auto, None) => {
            let reader = desk.library.reader();
            let hits = reader.address.find(&words(context));
            let count = |address| hits.iter().filter(|h| h.value == Some(address)).count();
            if count(GermanAddress::Du) > count(GermanAddress::Sie) {
                GermanAddress::Du
            } else {
                GermanAddress::Sie
            }
        }
    }
}
