//! Reading taxonomies in the form that ARX users have: one line per leaf, `leaf;…;root`.
//!
//! Equal neighbours on a line are one node (short branches are padded by repeating a label). A label stands for one
//! node of the tree, so it has one parent; every line ends at the same root.

use std::io::Read;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::csv_file::{END, Ending, ending, line_at};
use super::taxonomy::{Draft, ROOT_LABEL, Taxonomy};
use crate::error::{Error, Place, Result};

/// Reads a taxonomy file.
pub fn read_taxonomy(path: &Path) -> Result<Taxonomy> {
    let bytes = std::fs::read(path).map_err(|source| Error::system("read", path, source))?;
    parse_taxonomy(&bytes, path)
}

struct Seen {
    node: usize,
    parent: Option<usize>,
    /// Where its first line begins.
    offset: u64,
}

/// A taxonomy, or everything that is wrong with it.
#[derive(Debug)]
pub struct TaxonomyCheck {
    /// The taxonomy, if nothing is wrong.
    pub taxonomy: Option<Taxonomy>,
    /// What is wrong, each with its line: first what single lines have, then what the tree that they make has.
    pub problems: Vec<Error>,
}

/// Parses the text of a taxonomy; `path` is for messages.
pub fn parse_taxonomy(bytes: &[u8], path: &Path) -> Result<Taxonomy> {
    let check = check_taxonomy(bytes, path);
    match check.problems.into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(check
            .taxonomy
            .expect("a taxonomy without problems is there")),
    }
}

/// Parses the text of a taxonomy and goes on after a line that is wrong; `path` is for messages.
pub fn check_taxonomy(bytes: &[u8], path: &Path) -> TaxonomyCheck {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b';')
        .has_headers(false)
        .flexible(true)
        .from_reader(bytes.chain(END));
    let line_of = |offset: u64| line_at(bytes, offset).unwrap_or(1);
    let mut lines = Lines::default();
    let mut problems = Vec::new();
    let mut record = csv::ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                problems.push(Error::system("read", path, error.into()));
                break;
            }
        }
        let offset = record.position().map_or(0, csv::Position::byte);
        let added = match ending(&record) {
            Ending::End => break,
            Ending::Unclosed => Err(Error::spec(
                "this line has a double quote that is never closed",
            )),
            Ending::Row => lines.add(&record, offset, &line_of),
        };
        if let Err(problem) = added {
            problems.push(problem.at(Place::line(path, line_of(offset))));
        }
    }
    // Without the lines that are wrong the rest may be empty.
    let nothing_is_left = lines.root.is_none() && !problems.is_empty();
    let taxonomy = match lines.finish(path, &line_of) {
        Ok(taxonomy) => Some(taxonomy),
        Err(more) => {
            if !nothing_is_left {
                problems.extend(more);
            }
            None
        }
    };
    TaxonomyCheck {
        taxonomy: taxonomy.filter(|_| problems.is_empty()),
        problems,
    }
}

/// The lines of a file, as far as they have been read.
#[derive(Default)]
struct Lines {
    draft: Draft,
    seen: FxHashMap<String, Seen>,
    root: Option<usize>,
    /// Where the line of each leaf begins.
    leaf_offsets: FxHashMap<usize, u64>,
}

impl Lines {
    /// Adds the nodes of a line that the tree does not have yet.
    fn add(
        &mut self,
        record: &csv::ByteRecord,
        offset: u64,
        line_of: &dyn Fn(u64) -> u64,
    ) -> Result<()> {
        let labels = labels(record)?;
        let mut above: Option<usize> = None;
        for &label in labels.iter().rev() {
            if let (None, Some(root)) = (above, self.root)
                && self.draft.labels[root] != label
            {
                return Err(Error::spec(format!(
                    "the taxonomy has several roots: `{}` and `{label}`",
                    self.draft.labels[root]
                ))
                .hint("end every line with the same label, for example `*`"));
            }
            let node = match self.seen.get(label) {
                Some(known) if known.parent == above => known.node,
                Some(known) => {
                    return Err(self.conflicting_parents(label, known, above, line_of));
                }
                None => {
                    let node = self.draft.add(label);
                    if let Some(parent) = above {
                        self.draft.children[parent].push(node);
                    }
                    let entry = Seen {
                        node,
                        parent: above,
                        offset,
                    };
                    self.seen.insert(label.to_owned(), entry);
                    node
                }
            };
            self.root.get_or_insert(node);
            above = Some(node);
        }
        let leaf = above.expect("a line has at least two labels");
        match self.leaf_offsets.insert(leaf, offset) {
            None => Ok(()),
            Some(first) => Err(Error::spec(format!(
                "the value `{}` is listed twice, first on line {}",
                labels[0],
                line_of(first)
            ))),
        }
    }

    fn conflicting_parents(
        &self,
        label: &str,
        known: &Seen,
        above: Option<usize>,
        line_of: &dyn Fn(u64) -> u64,
    ) -> Error {
        let name = |node: Option<usize>| match node {
            Some(node) => format!("`{}`", self.draft.labels[node]),
            None => "none (it is the root)".to_owned(),
        };
        Error::spec(format!(
            "`{label}` has two parents: {} on line {}, and {} here",
            name(known.parent),
            line_of(known.offset),
            name(above)
        ))
        .hint("a label stands for one node: give one of the two another label")
    }

    fn finish(mut self, path: &Path, line_of: &dyn Fn(u64) -> u64) -> Result<Taxonomy, Vec<Error>> {
        let Some(root) = self.root else {
            return Err(vec![
                Error::spec("the taxonomy is empty").at(Place::file(path)),
            ]);
        };
        let mut inner_leaves: Vec<(u64, usize)> = self
            .leaf_offsets
            .iter()
            .filter(|(leaf, _)| !self.draft.children[**leaf].is_empty())
            .map(|(leaf, offset)| (*offset, *leaf))
            .collect();
        inner_leaves.sort_unstable();
        let mut problems: Vec<Error> = inner_leaves
            .into_iter()
            .map(|(offset, leaf)| {
                Error::spec(format!(
                    "`{}` is a value and has other values below it",
                    self.draft.labels[leaf]
                ))
                .at(Place::line(path, line_of(offset)))
                .hint("give the inner node another label, for example with a trailing `*`")
            })
            .collect();
        // Whatever its author called the root, it prints as `*`, as everything wholly hidden does.
        if let Some(star) = self.seen.get(ROOT_LABEL).filter(|star| star.node != root) {
            problems.push(
                Error::spec("`*` is the text of the root; no other node may have it")
                    .at(Place::line(path, line_of(star.offset))),
            );
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        ROOT_LABEL.clone_into(&mut self.draft.labels[root]);
        Taxonomy::number(&self.draft, root).map_err(|error| vec![error.at(Place::file(path))])
    }
}

/// The labels of a line from the leaf to the root, equal neighbours as one.
fn labels(record: &csv::ByteRecord) -> Result<Vec<&str>> {
    let mut labels = record
        .iter()
        .map(|field| std::str::from_utf8(field).map(str::trim))
        .collect::<std::result::Result<Vec<&str>, _>>()
        .map_err(|_| {
            Error::spec("the taxonomy is not UTF-8 text").hint("save the file as UTF-8")
        })?;
    if let Some(empty) = labels.iter().position(|label| label.is_empty()) {
        return Err(Error::spec(format!(
            "label {} of the line is empty",
            empty + 1
        )));
    }
    labels.dedup();
    if labels.len() < 2 {
        return Err(Error::spec("a taxonomy line needs a leaf and a root")
            .hint("write one line per leaf: `leaf;parent;…;root`"));
    }
    let mut on_line = FxHashSet::default();
    match labels.iter().find(|label| !on_line.insert(**label)) {
        None => Ok(labels),
        Some(label) => Err(Error::spec(format!("`{label}` stands above itself"))
            .hint("a label stands for one node: give one of the two another label")),
    }
}
