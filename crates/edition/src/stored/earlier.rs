//! Files of earlier themes in a manifest, from the one before it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Manifest, StoredCoding, StoredResource, restored};
use crate::coding::Coding;
use crate::earlier::{self, Aged, Earlier};
use crate::edition::Edition;
use crate::segment::{Segment, Segments};

impl Manifest {
    /// The same manifest as the one that replaces another: its edition also answers for the files of
    /// earlier themes. Their bytes stay where they are, and the segments that have them are named.
    #[must_use]
    pub fn after(mut self, before: &Self) -> Self {
        let own = &self.edition;
        let taken = kept(&own.resources).map(|file| file.route.path());
        let left = before.leaves(&own.once.id, &taken.collect());
        let mut moved = Moved {
            from: &before.head.segments,
            to: &mut self.head.segments,
        };
        let files = left.into_iter().filter_map(|file| moved.file(file));
        self.edition.once.earlier = files.collect();
        self
    }

    /// The files of earlier themes that `next` answers for if it replaces this edition. They are read
    /// from these segments. `None`: something is damaged.
    pub fn left_to(&self, next: &Edition, segments: &Arc<Segments>) -> Option<Earlier> {
        let own = next.resources.iter();
        let taken = own.filter(|it| earlier::is_kept(&it.route));
        let taken = taken.map(|file| file.path.to_string()).collect();
        let left = restored(self.leaves(&next.id.to_string(), &taken), segments)?;
        for (_, file) in left.files() {
            // Later they may be gone.
            file.body.slices();
            for coding in Coding::ALL {
                file.coded(coding);
            }
        }
        segments.is_sound().then_some(left)
    }

    /// What is left to the edition of this id, which has these paths.
    fn leaves(&self, id: &str, taken: &BTreeSet<String>) -> Vec<Aged<StoredResource>> {
        let stored = &self.edition;
        let earlier = stored.once.earlier.iter().cloned();
        if stored.once.id == id {
            return earlier.collect();
        }
        let path = |file: &StoredResource| file.route.path();
        earlier::left(kept(&stored.resources).cloned(), earlier, path, taken)
    }
}

/// The files that an edition leaves to the next.
fn kept(resources: &[StoredResource]) -> impl Iterator<Item = &StoredResource> {
    let kept = |file: &&StoredResource| earlier::is_kept(&file.route);
    resources.iter().filter(kept)
}

/// From the numbers of segments in one manifest to those in another.
struct Moved<'a> {
    from: &'a [Option<Segment>],
    to: &'a mut Vec<Option<Segment>>,
}

impl Moved<'_> {
    /// The file with its places here; `None`: a segment is not here.
    fn file(&mut self, (age, mut file): Aged<StoredResource>) -> Option<Aged<StoredResource>> {
        for place in &mut file.body {
            place.segment = self.number(place.segment)?;
        }
        for coding in &mut file.codings {
            if let StoredCoding::At(place) = coding {
                place.segment = self.number(place.segment)?;
            }
        }
        Some((age, file))
    }

    /// The number here of a segment there, which is named from now on.
    fn number(&mut self, there: usize) -> Option<usize> {
        let segment = self.from.get(there)?.clone()?;
        let known = self.to.iter().position(|it| it.as_ref() == Some(&segment));
        if known.is_some() {
            return known;
        }
        let free = self.to.iter().position(Option::is_none);
        let at = free.unwrap_or(self.to.len());
        match self.to.get_mut(at) {
            Some(place) => *place = Some(segment),
            None => self.to.push(Some(segment)),
        }
        Some(at)
    }
}
