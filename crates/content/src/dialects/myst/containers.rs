//! Follows the quotations and lists around the lines of a text.

/// How many lists are followed at one place.
const DEEPEST: usize = 50;
/// A tab ends at a multiple of this.
const TAB: usize = 4;

/// The lists around a line.
#[derive(Default)]
pub struct Containers {
    /// The columns at which the content of list items begins, the outer ones first.
    items: Vec<usize>,
    /// Whether the line before was blank.
    after_blank: bool,
}

/// Where the own text of a line begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The byte.
    pub byte: usize,
    /// Its column.
    pub column: usize,
    /// How many quotations it is in.
    pub quotes: usize,
    /// The column at which the innermost container of the line begins.
    pub inside: usize,
    pub is_blank: bool,
}

impl Place {
    /// Whether it may not begin a block other than code.
    pub fn is_code(&self) -> bool {
        self.column >= self.inside + TAB
    }

    /// The place in a line of what is open since this place.
    pub fn within(&self, line: &str) -> Self {
        let mut place = Self::default();
        skip_blanks(line, &mut place);
        while place.quotes < self.quotes && line[place.byte..].starts_with('>') {
            skip(&mut place, 1);
            place.quotes += 1;
            skip_blanks(line, &mut place);
        }
        place.is_blank = line[place.byte..].trim().is_empty();
        place
    }

    /// Whether a line with this place is behind what is open since another.
    pub fn leaves(&self, opening: &Self) -> bool {
        self.quotes < opening.quotes || !self.is_blank && self.column < opening.inside
    }
}

impl Containers {
    /// The place of the next line.
    pub fn read(&mut self, line: &str) -> Place {
        let mut place = Place::default();
        skip_blanks(line, &mut place);
        while line[place.byte..].starts_with('>') && !place.is_code() {
            skip(&mut place, 1);
            place.quotes += 1;
            // One blank belongs to the sign.
            place.inside = place.column + 1;
            skip_blanks(line, &mut place);
            place.inside = place.inside.min(place.column);
        }
        place.is_blank = line[place.byte..].trim().is_empty();
        if place.is_blank {
            self.after_blank = true;
            return place;
        }
        // Without a blank line before it, a line may go on with a paragraph in an item.
        let ends = |item: &usize| *item <= place.column;
        let is_lazy = !self.after_blank && marker(&line[place.byte..]).is_none();
        if !is_lazy {
            self.items.retain(ends);
        }
        self.after_blank = false;
        let around = self.items.iter().rfind(|item| ends(item));
        place.inside = place.inside.max(around.copied().unwrap_or(0));
        while let Some(signs) = marker(&line[place.byte..]).filter(|_| !place.is_code()) {
            let begin = place.column;
            skip(&mut place, signs);
            place.inside = place.column + 1;
            skip_blanks(line, &mut place);
            // Code may begin behind the marker.
            if place.column <= begin + signs + TAB {
                place.inside = place.column;
            }
            if self.items.len() < DEEPEST {
                self.items.push(place.inside);
            }
        }
        place
    }
}

/// The length of the sign that begins an item of a list, or a definition.
fn marker(text: &str) -> Option<usize> {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let signs = match digits.len() < text.len() {
        true => text.len() - digits.strip_prefix(['.', ')'])?.len(),
        false => text.len() - text.strip_prefix(['-', '*', '+', ':'])?.len(),
    };
    (signs <= 10 && text[signs..].starts_with([' ', '\t'])).then_some(signs)
}

fn skip(place: &mut Place, signs: usize) {
    place.byte += signs;
    place.column += signs;
}

fn skip_blanks(line: &str, place: &mut Place) {
    for c in line[place.byte..].chars() {
        match c {
            ' ' => place.column += 1,
            '\t' => place.column += TAB - place.column % TAB,
            _ => return,
        }
        place.byte += 1;
    }
}
