//! Joins the lists of all packages at compile time: the configuration is checked before setup.

use frontdesk_bundle::{Eval, Package};
use frontdesk_core::setting::Setting;

pub(crate) const fn names<const N: usize>(packages: &[Package]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = packages[at].name;
        at += 1;
    }
    names
}

pub(crate) const fn evals<const N: usize>(
    packages: &[Package],
) -> [(&'static str, &'static [Eval]); N] {
    let mut evals = [("", [].as_slice()); N];
    let mut at = 0;
    while at < N {
        evals[at] = (packages[at].name, packages[at].evals);
        at += 1;
    }
    evals
}

pub(crate) const fn count_settings(packages: &[Package]) -> usize {
    let mut total = 0;
    let mut package = 0;
    while package < packages.len() {
        total += packages[package].settings.len();
        package += 1;
    }
    total
}

/// Requires that the first package has a setting.
pub(crate) const fn settings<const N: usize>(packages: &[Package]) -> [Setting; N] {
    let mut all = [packages[0].settings[0]; N];
    let (mut at, mut package) = (0, 0);
    while package < packages.len() {
        let mut item = 0;
        while item < packages[package].settings.len() {
            all[at] = packages[package].settings[item];
            at += 1;
            item += 1;
        }
        package += 1;
    }
    all
}
