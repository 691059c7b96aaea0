//! The interface between an assistant's crate and the product. The product knows assistants only
//! through these types.
//!
//! - [`Package`] is the export of an assistant's crate; [`Bundle`] is the configured assistant
//! - [`route`] and [`Procedure`] are its HTTP routes and tRPC procedures
//! - [`ListResponse`] is the envelope of every list
//! - [`InboxSource`] reports its waiting work, [`ObjectSearch`] finds its objects

mod bundle;
mod inbox;
mod list;
mod object_search;
mod package;
mod procedure;
pub mod route;

pub use bundle::{
    BoxError, Bundle, DemoData, DemoDocuments, Import, ImportReport, ImportRow, MintError,
    MintToken, PersonToken, RequiredSystem, SetupContext, SetupError, TraceNames,
};
pub use inbox::{DecidedItem, InboxSource, WaitingItem, WaitingWork};
pub use list::ListResponse;
pub use object_search::{FoundObject, ObjectSearch};
pub use package::{Eval, Package};
pub use procedure::{
    Procedure, ProcedureCall, ProcedureCode, ProcedureError, ProcedureKind, ProcedureOutput,
    RunProcedure, Tracked,
};
pub use route::{OwnRoute, Route};
