//! What people upload, made inert. Neither a file's name nor its declared type counts, only its content.
//!
//! - [`accept`] takes in anything that may stand beside a conversation: pictures and documents.
//! - [`accept_picture`] takes in pictures alone.
//! - [`read_form`] reads a multipart form that is bounded in bytes, parts and time.
//! - [`let_arrive`] stands around a server's routes, so that who is refused reads why.
//! - [`shown_name`] is what remains of a name that a stranger gave a file.

mod arriving;
mod document;
mod form;
mod name;
mod picture;
mod upload;

pub use arriving::let_arrive;
pub use form::{Form, FormError, FormLimits, Part, read_form};
pub use name::shown_name;
pub use picture::{Format, MAX_PIXELS, MAX_SIDE, Picture, accept_picture, for_print};
pub use upload::{Kind, Refused, Upload, accept};
