//! Writes an edition: finds the bodies that are in segments, and writes the others to new ones.

use std::collections::BTreeMap;
use std::io;

use bytes::Bytes;
use diglot_content::library::Report;
use jiff::Timestamp;

use super::{Head, Manifest, Once, StoredCoding, StoredEdition, StoredResource};
use crate::body::Body;
use crate::coding::Coding;
use crate::edition::Edition;
use crate::resource::{Digest, Resource};
use crate::segment::{self, Extent, Segment};

/// Writes a new segment.
pub type Put<'a> = &'a mut dyn FnMut(&Segment, &[u8]) -> io::Result<()>;

/// The key of a body or coding: equal entity tags mean equal bytes.
type Tag = (Digest, Option<Coding>);

impl Manifest {
    /// Writes the bodies of an edition built from `key` at `made`, except those in segments of the
    /// manifest `before`. The caller writes the manifest. `None`: the error pages are not the
    /// theme's own, or a body is damaged.
    ///
    /// # Errors
    /// Those of `put`.
    pub fn write(
        edition: &Edition,
        (key, made, report): (String, Timestamp, Report),
        before: Option<&Self>,
        put: Put<'_>,
    ) -> io::Result<Option<Self>> {
        let Some(errors) = edition.errors.drawn() else {
            return Ok(None);
        };
        let mut writer = Writer::new(put);
        if let Some(before) = before {
            writer.reuse(before, edition);
        }
        let mut resources: Vec<Option<StoredResource>> = Vec::new();
        resources.resize_with(edition.resources.len(), || None);
        // A rope mostly consists of slices of other bodies, so those are placed first.
        for ropes in [false, true] {
            for (resource, stored) in edition.resources.iter().zip(&mut resources) {
                if (resource.body.slices().len() > 1) == ropes {
                    *stored = Some(writer.resource(resource)?);
                }
            }
        }
        let mut earlier = Vec::new();
        for (age, file) in edition.earlier().files() {
            earlier.push((*age, writer.resource(file)?));
        }
        writer.seal()?;
        if !edition.is_sound() {
            return Ok(None);
        }
        let head = Head {
            key,
            made,
            next_change: edition.next_change,
            segments: writer.segments,
        };
        let redirects = edition.old_addresses();
        let stored = StoredEdition {
            once: Once {
                site: (*edition.site).clone(),
                lines: [
                    edition.resources.len(),
                    edition.listed().len(),
                    redirects.len(),
                ],
                expired: edition.expired().map(str::to_owned).collect(),
                errors: errors.clone(),
                search: edition.search_page().cloned(),
                earlier,
                articles: edition.articles,
                problems: edition.problems.clone(),
                parity: edition.parity.clone(),
                id: edition.id.to_string(),
            },
            resources: resources.into_iter().flatten().collect(),
            listed: edition.listed().to_vec(),
            redirects: redirects
                .iter()
                .map(|(from, to)| (from.clone(), to.clone()))
                .collect(),
        };
        Ok(Some(Self {
            head,
            report,
            edition: stored,
        }))
    }

    /// Every body and coding with its places.
    fn places(&self) -> BTreeMap<Tag, Vec<Extent>> {
        let mut places = BTreeMap::new();
        let earlier = self.edition.once.earlier.iter().map(|(_, file)| file);
        for resource in self.edition.resources.iter().chain(earlier) {
            let Some(digest) = Digest::parse(&resource.digest) else {
                continue;
            };
            places.insert((digest, None), resource.body.clone());
            for (coding, stored) in Coding::ALL.into_iter().zip(resource.codings) {
                if let StoredCoding::At(place) = stored {
                    places.insert((digest, Some(coding)), vec![place]);
                }
            }
        }
        places
    }
}

struct Writer<'a> {
    put: Put<'a>,
    /// The segments by number: those reused and those written.
    segments: Vec<Option<Segment>>,
    /// The bytes of the next segment.
    open: Vec<u8>,
    /// The places in reused segments of the previous edition.
    reused: BTreeMap<Tag, Vec<Extent>>,
    /// Placed bytes, by address: length in memory, place.
    placed: BTreeMap<usize, (usize, Extent)>,
}

impl<'a> Writer<'a> {
    fn new(put: Put<'a>) -> Self {
        Self {
            put,
            segments: Vec::new(),
            open: Vec::new(),
            reused: BTreeMap::new(),
            placed: BTreeMap::new(),
        }
    }

    /// Reuses the segments of `before` of which at least half is in use.
    fn reuse(&mut self, before: &Manifest, edition: &Edition) {
        let (mut stored, segments) = (before.places(), &before.head.segments);
        let earlier = edition.earlier().files().iter().map(|(_, file)| file);
        for resource in edition.resources.iter().chain(earlier) {
            for coding in [None].into_iter().chain(Coding::ALL.map(Some)) {
                let tag = (resource.digest, coding);
                if let Some(places) = stored.remove(&tag)
                    && places.iter().all(|place| place.segment < segments.len())
                {
                    self.reused.insert(tag, places);
                }
            }
        }
        self.drop_sparse(segments);
    }

    /// Drops the segments of which less than half is in use.
    fn drop_sparse(&mut self, segments: &[Option<Segment>]) {
        let used = used(
            self.reused.values().flatten().copied().collect(),
            segments.len(),
        );
        self.segments = segments
            .iter()
            .zip(used)
            .map(|(segment, used)| segment.clone().filter(|it| used >= it.length / 2))
            .collect();
        let segments = &self.segments;
        self.reused
            .retain(|_, places| places.iter().all(|place| segments[place.segment].is_some()));
    }

    /// The number of the next segment: the first that is unused.
    fn next(&self) -> usize {
        let unused = self.segments.iter().position(Option::is_none);
        unused.unwrap_or(self.segments.len())
    }

    fn resource(&mut self, resource: &Resource) -> io::Result<StoredResource> {
        let body = self.places((resource.digest, None), &resource.body)?;
        let mut codings = [StoredCoding::Open; Coding::ALL.len()];
        for (stored, coding) in codings.iter_mut().zip(Coding::ALL) {
            *stored = match resource.codings.decided(coding) {
                None => StoredCoding::Open,
                Some(None) => StoredCoding::Never,
                Some(Some(coded)) => match self.places((resource.digest, Some(coding)), coded)?[..]
                {
                    [place] => StoredCoding::At(place),
                    _ => StoredCoding::Open,
                },
            };
        }
        Ok(StoredResource {
            route: resource.route.clone(),
            digest: resource.digest.to_string(),
            modified: resource.modified.as_second(),
            link: resource.link_text().map(str::to_owned),
            body,
            codings,
        })
    }

    /// The places of a body or coding.
    fn places(&mut self, tag: Tag, body: &Body) -> io::Result<Vec<Extent>> {
        let slices = body.slices();
        if let Some(places) = self.reused.get(&tag)
            && slices
                .iter()
                .map(|slice| slice.len() as u64)
                .eq(places.iter().map(|place| place.length))
        {
            if let ([slice], [place]) = (slices, &places[..]) {
                self.placed
                    .insert(slice.as_ptr() as usize, (slice.len(), *place));
            }
            return Ok(places.clone());
        }
        let mut places = Vec::with_capacity(slices.len());
        for slice in slices {
            places.push(self.write(slice)?);
        }
        Ok(places)
    }

    /// The place of bytes that are part of placed bytes.
    fn inside_placed(&self, begin: usize, length: usize) -> Option<Extent> {
        let (start, (room, place)) = self.placed.range(..=begin).next_back()?;
        (begin + length <= start + room).then(|| Extent {
            offset: place.offset + (begin - start) as u64,
            length: length as u64,
            ..*place
        })
    }

    /// The place of some bytes. Writes them unless they are part of placed bytes.
    fn write(&mut self, bytes: &Bytes) -> io::Result<Extent> {
        let (begin, length) = (bytes.as_ptr() as usize, bytes.len());
        if let Some(place) = self.inside_placed(begin, length) {
            return Ok(place);
        }
        if self.open.len() + length > segment::LENGTH {
            self.seal()?;
        }
        let place = Extent {
            segment: self.next(),
            offset: self.open.len() as u64,
            length: length as u64,
        };
        self.placed.insert(begin, (length, place));
        if length > segment::LENGTH {
            self.put(bytes)?;
        } else {
            self.open.extend_from_slice(bytes);
        }
        Ok(place)
    }

    /// Writes the open segment.
    fn seal(&mut self) -> io::Result<()> {
        if self.open.is_empty() {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.open);
        self.put(&bytes)?;
        self.open = bytes;
        self.open.clear();
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let segment = Segment::from_bytes(bytes);
        (self.put)(&segment, bytes)?;
        match self.next() {
            number if number < self.segments.len() => self.segments[number] = Some(segment),
            _ => self.segments.push(Some(segment)),
        }
        Ok(())
    }
}

/// The bytes of each segment that at least one of these places covers.
fn used(mut places: Vec<Extent>, segments: usize) -> Vec<u64> {
    places.sort_by_key(|place| (place.segment, place.offset));
    let mut used = vec![0_u64; segments];
    let (mut segment, mut end) = (0, 0);
    for place in places {
        if place.segment != segment {
            (segment, end) = (place.segment, 0);
        }
        let stop = place.offset.saturating_add(place.length);
        let new = stop.saturating_sub(place.offset.max(end));
        used[segment] = used[segment].saturating_add(new);
        end = end.max(stop);
    }
    used
}
