//! Scores of "under this node" in a column of values.
//!
//! A leaf is 1 on each node of its path and 0 elsewhere; the column's weight times a squared distance over 2H, H the
//! longest path, is the distance in the space. Two paths differ on at most 2H nodes: the squared diameter is at most
//! the weight.
//!
//! Nodes are numbered in preorder, so what is under a node is a range: one pass over the leaves of a cell gives the
//! scores of all nodes.

use super::super::axis::Test;
use super::super::rows::weight_of;
use super::{Moments, Rows};
use crate::table::{Node, Taxonomy, Tree, with_codes};

pub(in super::super) struct ValueScorer<'t> {
    rows: Rows<'t>,
    taxonomy: &'t Taxonomy,
    nodes: Vec<Node>,
}

impl<'t> ValueScorer<'t> {
    pub(super) fn new(rows: Rows<'t>, tree: &'t Tree, tests: &[Test]) -> Self {
        Self {
            rows,
            taxonomy: &tree.taxonomy,
            nodes: tests.iter().map(|test| test.node).collect(),
        }
    }

    pub(super) fn scores(&self, cells: &[u16], n_cells: usize, tests: &[usize]) -> Vec<i128> {
        let n_leaves = self.taxonomy.n_leaves();
        let mut counts = vec![0_u64; n_cells * n_leaves];
        let weight_of = weight_of(self.rows.table);
        with_codes!(self.rows.table.columns()[self.rows.column].codes(), codes => {
            for (row, (&code, &cell)) in codes.iter().zip(cells).enumerate() {
                let leaf = u32::from(code) as usize;
                counts[usize::from(cell) * n_leaves + leaf] += weight_of(row);
            }
        });
        let divisor = 2 * u128::from(self.taxonomy.height());
        let spread = |moments: &Moments| moments.spread(self.rows.weight, divisor);
        let mut scores = vec![0; tests.len()];
        for leaves in counts.chunks(n_leaves) {
            let counts = NodeCounts::new(self.taxonomy, leaves);
            if counts.all.people == 0 {
                continue;
            }
            let before = spread(&counts.all);
            for (score, &test) in scores.iter_mut().zip(tests) {
                let [passing, failing] = counts.halves(self.taxonomy, self.nodes[test]);
                *score += before - spread(&passing) - spread(&failing);
            }
        }
        scores
    }
}

/// The people of a cell under each node, and sums over ranges of nodes.
struct NodeCounts {
    people: Vec<u128>,
    /// The sum of squares of `people` over the nodes before each, in preorder.
    squares_before: Vec<u128>,
    /// The lengths of the paths of the people before each leaf.
    depths_before: Vec<u128>,
    all: Moments,
}

impl NodeCounts {
    fn new(taxonomy: &Taxonomy, leaves: &[u64]) -> Self {
        let n_nodes = taxonomy.n_nodes();
        let mut people_before = vec![0_u128];
        let mut depths_before = vec![0_u128];
        for (leaf, &count) in leaves.iter().enumerate() {
            let depth = taxonomy.depth(taxonomy.node_of_leaf(leaf as u32));
            people_before.push(people_before[leaf] + u128::from(count));
            depths_before.push(depths_before[leaf] + u128::from(count) * u128::from(depth));
        }
        let people: Vec<u128> = (0..n_nodes as Node)
            .map(|node| {
                let under = taxonomy.leaves(node);
                people_before[under.end as usize] - people_before[under.start as usize]
            })
            .collect();
        // The root is no coordinate.
        let mut squares_before = vec![0, 0];
        for (node, count) in people.iter().enumerate().skip(1) {
            squares_before.push(squares_before[node] + count * count);
        }
        Self {
            all: Moments {
                people: people[0],
                squares: depths_before[leaves.len()],
                square_of_sum: squares_before[n_nodes],
            },
            people,
            squares_before,
            depths_before,
        }
    }

    /// The people under a node, and the others.
    fn halves(&self, taxonomy: &Taxonomy, node: Node) -> [Moments; 2] {
        let people = self.people[node as usize];
        let (subtree, leaves) = (taxonomy.subtree(node), taxonomy.leaves(node));
        let below =
            self.squares_before[subtree.end as usize] - self.squares_before[subtree.start as usize];
        let squares =
            self.depths_before[leaves.end as usize] - self.depths_before[leaves.start as usize];
        // Above the node, everybody under it shares the path, and the others have what is left there.
        let (mut above, mut above_left, mut n_above) = (0, 0, 0);
        for ancestor in taxonomy.path(node).skip(1) {
            let all = self.people[ancestor as usize];
            above += all * all;
            above_left += (all - people) * (all - people);
            n_above += 1;
        }
        let passing = Moments {
            people,
            squares,
            square_of_sum: below + n_above * people * people,
        };
        let failing = Moments {
            people: self.all.people - people,
            squares: self.all.squares - squares,
            square_of_sum: self.all.square_of_sum - below - above + above_left,
        };
        [passing, failing]
    }
}
