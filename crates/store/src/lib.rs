//! Editions in an object store: one machine publishes, others follow.
//!
//! Below a prefix the store holds
//!
//! | Key | What it is | Written |
//! |---|---|---|
//! | `segments/{digest}` | bodies of an edition, concatenated ([`diglot_edition::segment`]) | once |
//! | `chunks/{digest}` | some lines of a manifest ([`diglot_edition::stored`]), as Zstandard | once |
//! | `manifests/{digest}` | the chunks and segments of one edition ([`root`]) | once |
//! | `editions/{number}` | a pointer ([`Pointer`]): which manifest is edition `number` | once, if new |
//! | `publishing/{id}`, `pruning/{id}` | leases ([`lease`]) of processes that write | while they run |
//! | `store.json` | what the store can do ([`probe`]) | once |
//! | `purged.json` | which edition caches were told of last ([`purged`]) | at each purge |
//!
//! Bytes are written before a manifest names them, and a manifest before a pointer names it. So a
//! reader who follows a pointer finds a whole edition. Every object but pointers, leases and
//! the two in JSON is named by its digest (BLAKE3), which the reader verifies; a pointer may be signed.
//! So neither the store nor the network has to be trusted.
//!
//! The pointers are a chain: the newest edition is the one with the highest number. A pointer is
//! created only if its number is free (`If-None-Match: *`, RFC 9110 section 13.1.2), so of two
//! publishers one loses.
//!
//! A [`Follower`] copies the newest edition into a [`Cache`], from which a replica answers.

#![forbid(unsafe_code)]

pub mod address;
pub mod cache;
pub mod chain;
pub mod error;
pub mod follow;
pub mod lease;
pub mod objects;
pub mod past;
pub mod pointer;
pub mod probe;
pub mod prune;
pub mod publish;
pub mod purged;
pub mod reading;
pub mod rollback;
pub mod root;
pub mod signature;

pub use address::Address;
pub use cache::Cache;
pub use chain::Chain;
pub use error::{Error, Result};
pub use follow::Follower;
pub use objects::Objects;
pub use pointer::Pointer;
pub use rollback::rollback;
