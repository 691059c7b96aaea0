//! gig: recruiters ask about the candidates of a gig, in Russian or English, and get figures that
//! code computed.

pub mod domain;
