//! A VitePress site: `<!--@include: ./x.md-->`, `<<< @/x.js`, `::: tip`.

use super::{COMMON, Dialect};

pub(super) static DIALECT: Dialect = Dialect { name: "vitepress", recognise: |evidence| evidence.hidden_folder(".vitepress"), ..COMMON };
