//! READMEs that are the index of their folder.

use std::sync::Arc;

use super::{ABOUT, Plan, Role, as_index};
use crate::library::{
    files,
    paths::{below, without_suffix},
};
use crate::model::{format::Format, sources::Sources};

impl Plan {
    /// The role of a README that may be the index of its folder: it is not at the root, and its
    /// folder has no other index. One that is listed beside such a text is a page of its own.
    pub fn readme_as_index(&self, at: usize, sources: &Sources) -> Option<Role> {
        let file = sources.files.get(at)?;
        let path = &*file.path;
        let (folder, name) = path.rsplit_once('/')?;
        let is_readme = without_suffix(name).eq_ignore_ascii_case("README");
        if !is_readme
            || folder == self.articles
            || self.roles.get(at) != Some(&Role::unlinked(ABOUT))
            || self.unrendered(file).is_some()
        {
            return None;
        }
        let (area, rel) = self.placed(path);
        Some(Role::Text {
            rel: self.rel_of_readme(path, &rel, folder, sources)?,
            format: Format::from_path(path)?,
            area,
        })
    }

    /// The path of such a README in the address space: that of an index, or its own beside another
    /// index.
    fn rel_of_readme(
        &self,
        path: &str,
        rel: &str,
        folder: &str,
        sources: &Sources,
    ) -> Option<Arc<str>> {
        let mut found = as_index(rel);
        for (other, file) in files::beginning(sources, folder) {
            if matches!(self.roles[other], Role::Text { .. }) && is_index_of(&file.path, folder) {
                let is_inside = below(&file.path, folder).is_some();
                let scope = &self.kind.scope;
                if !scope.any_name && (is_inside || !scope.lists(path)) {
                    return None;
                }
                found = rel.into();
            }
        }
        Some(found)
    }
}

/// Whether a text is the index of a folder: inside it, or next to it as `folder.md`.
fn is_index_of(path: &str, folder: &str) -> bool {
    let Some(rest) = path.strip_prefix(folder) else {
        return false;
    };
    ["/index.", "/_index.", "."]
        .iter()
        .any(|index| rest.starts_with(index))
}
