//! The one integration binary of the product; each module is a subject.
//!
//! `cfg(test)` on a module lets its helpers unwrap as its tests do.

#[cfg(test)]
mod design_map;
#[cfg(test)]
mod house_rules;
#[cfg(test)]
mod licences;
