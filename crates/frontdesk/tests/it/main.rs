//! The one integration binary of the product; each module is a subject.

mod design_map;
mod house_rules;
mod licences;
