//! The interface between an assistant's crate and the product. The product knows assistants only
//! through these types.
//!
//! - [`Package`] is the export of an assistant's crate; [`Bundle`] is the configured assistant
//! - [`route`] and [`Procedure`] are its HTTP routes and tRPC procedures
//! - [`InboxSource`] reports its waiting work

mod bundle;
mod inbox;
mod package;
mod procedure;
pub mod route;

pub use bundle::{
    BoxError, Bundle, DemoData, DemoDocuments, Import, ImportReport, ImportRow, MintError,
    MintToken, SetupContext, SetupError, TraceNames,
};
pub use inbox::{InboxSource, WaitingItem, WaitingWork};
pub use package::{Eval, Package};
pub use procedure::{
    Procedure, ProcedureCall, ProcedureCode, ProcedureError, ProcedureKind, RunProcedure,
};
pub use route::{OwnRoute, Route};
