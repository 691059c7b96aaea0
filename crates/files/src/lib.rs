//! Validates and sanitises uploads. Only the content decides, never a file's name or
//! declared type.
//!
//! - [`accept`] accepts any file for a conversation: pictures and documents.
//! - [`accept_picture`] accepts pictures only.
//! - [`read_form`] reads a multipart form with limits on bytes, parts and time.
//! - [`drain_refused_bodies`] is middleware that lets a client read the response to a refused body.
//! - [`shown_name`] sanitises a file name for display.

mod document;
mod drain_body;
mod form;
mod name;
mod picture;
mod upload;

pub use drain_body::drain_refused_bodies;
pub use form::{Form, FormError, FormLimits, Part, read_form};
pub use name::shown_name;
pub use picture::{Format, MAX_PIXELS, MAX_SIDE, Picture, accept_picture, for_print};
pub use upload::{Kind, Upload, UploadError, accept};
