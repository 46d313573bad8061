//! The tests that cells were cut by, in the words of their columns.

use super::axis::{Atom, Axis};
use super::outputs::{Cut, Outputs};
use super::params::Mosaic;

impl Mosaic {
    /// What each of the cuts asked, in order.
    pub fn cuts_in_words(&self, outputs: &Outputs) -> Vec<String> {
        outputs.cuts.iter().map(|cut| self.in_words(cut)).collect()
    }

    fn in_words(&self, cut: &Cut) -> String {
        let name = &self.fields[cut.column].name;
        let passing = cut.atoms();
        let axis = &self.axes[cut.column];
        if axis.loners().contains(&passing.start) && passing.len() == 1 {
            return match axis {
                Axis::Sets(tree) if tree.taxonomy.empty_set() == Some(passing.start) => {
                    format!("`{name}` is the empty set")
                }
                _ => format!("`{name}` is missing"),
            };
        }
        match axis {
            Axis::Numbers(numbers) => {
                let first = numbers.places(passing.start).start as u32;
                let at_least = numbers.interval.text(first);
                if passing.end == numbers.n_bins() as Atom {
                    format!("`{name}` is at least {at_least}")
                } else {
                    let end = numbers.places(passing.end - 1).end as u32;
                    let below = numbers.interval.text(end.min(numbers.interval.last()));
                    format!("`{name}` is at least {at_least} and below {below}")
                }
            }
            Axis::Values(tree) | Axis::Sets(tree) => {
                let taxonomy = &tree.taxonomy;
                let [first, last] =
                    [passing.start, passing.end - 1].map(|leaf| taxonomy.node_of_leaf(leaf));
                let node = taxonomy.lowest_common_ancestor(first, last);
                let label = taxonomy.label(node);
                match axis {
                    Axis::Sets(_) => format!("`{name}` has some of `{label}`"),
                    _ => format!("`{name}` is `{label}`"),
                }
            }
        }
    }
}
