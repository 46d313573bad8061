//! Trees of values: taxonomies from files, and stars for columns without one.
//!
//! Nodes are numbered in preorder, so the nodes under a node, and the leaves under it, are a range of numbers: whether
//! one node lies under another is two comparisons. Skew-binary jump pointers (Myers 1983) give the lowest common
//! ancestor in logarithmic time with one extra word per node, whatever the shape of the tree.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::error::{Error, Result, nearest_name};

/// A node of a taxonomy: its number in preorder, the root is 0.
pub type Node = u32;

/// A leaf of a taxonomy: its number among the leaves in preorder. Raw values are coded as leaves.
pub type Leaf = u32;

/// The text of the root, and of whatever is wholly hidden.
pub const ROOT_LABEL: &str = "*";

/// The value that stands for those which a tree lacks, whatever its letters' case.
const OTHER_LABEL: &str = "other";

/// The item that stands for the empty set.
pub(super) const EMPTY_SET_LABEL: &str = "none";

/// Values for which a near name is looked up. A large taxonomy makes each look-up slow.
const VALUES_COMPARED: usize = 20;

/// Near names in a message.
const NEAR_NAMES_SHOWN: usize = 5;

/// A tree over the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taxonomy {
    labels: Vec<String>,
    parent: Vec<Node>,
    depth: Vec<u32>,
    jump: Vec<Node>,
    /// One past the last node under each node.
    end: Vec<Node>,
    /// The number of leaves before each node in preorder; one entry more than nodes.
    leaves_before: Vec<Leaf>,
    leaf_nodes: Vec<Node>,
    height: u32,
    missing: Option<Leaf>,
    empty_set: Option<Leaf>,
    by_label: FxHashMap<String, Node>,
}

/// A tree while it is being put together: labels and children in any order.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) labels: Vec<String>,
    pub(super) children: Vec<Vec<usize>>,
}

impl Draft {
    pub(super) fn add(&mut self, label: impl Into<String>) -> usize {
        self.labels.push(label.into());
        self.children.push(Vec::new());
        self.labels.len() - 1
    }
}

impl Taxonomy {
    /// A root over values that have nothing else in common. The root's text and the empty one, which stands for a
    /// missing value, cannot be values.
    pub fn star<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Result<Self> {
        let mut draft = Draft::default();
        let root = draft.add(ROOT_LABEL);
        for value in values {
            let value = value.into();
            if value.is_empty() {
                return Err(Error::spec("a value is empty"));
            }
            if value == ROOT_LABEL {
                return Err(Error::spec(
                    "`*` stands for what is hidden: no value may be written so",
                ));
            }
            let leaf = draft.add(value);
            draft.children[root].push(leaf);
        }
        Self::number(&draft, root)
    }

    /// A tree from the labels of its nodes and the node above each: the root first, every node after the one above it.
    pub fn from_parents(labels: &[String], above: &[Option<Node>]) -> Result<Self> {
        let mut draft = Draft::default();
        for (node, label) in labels.iter().enumerate() {
            draft.add(label.as_str());
            match above.get(node) {
                Some(None) if node == 0 => {}
                Some(&Some(parent)) if (parent as usize) < node => {
                    draft.children[parent as usize].push(node);
                }
                _ => {
                    return Err(Error::spec(
                        "a tree lists its root first and every node after the one above it",
                    ));
                }
            }
        }
        if draft.labels.len() != above.len() || draft.labels.is_empty() {
            return Err(Error::spec(
                "a tree has as many nodes above as labels, and at least a root",
            ));
        }
        Self::number(&draft, 0)
    }

    /// Numbers a draft in preorder.
    pub(super) fn number(draft: &Draft, root: usize) -> Result<Self> {
        let n_nodes = draft.labels.len();
        let mut tree = Self {
            labels: Vec::with_capacity(n_nodes),
            parent: Vec::with_capacity(n_nodes),
            depth: Vec::with_capacity(n_nodes),
            jump: Vec::with_capacity(n_nodes),
            end: vec![0; n_nodes],
            leaves_before: Vec::with_capacity(n_nodes + 1),
            leaf_nodes: Vec::new(),
            height: 0,
            missing: None,
            empty_set: None,
            by_label: FxHashMap::default(),
        };
        // (draft node, parent in preorder); children are pushed in reverse so that they leave the stack in order.
        let mut stack = vec![(root, 0)];
        while let Some((draft_node, parent)) = stack.pop() {
            let node = tree.push(&draft.labels[draft_node], parent)?;
            let children = &draft.children[draft_node];
            if children.is_empty() && node != 0 {
                tree.leaf_nodes.push(node);
                tree.height = tree.height.max(tree.depth[node as usize]);
            }
            stack.extend(children.iter().rev().map(|&child| (child, node)));
        }
        tree.leaves_before.push(tree.leaf_nodes.len() as Leaf);
        for node in (0..tree.labels.len()).rev() {
            tree.end[node] = tree.end[node].max(node as Node + 1);
            let parent = tree.parent[node] as usize;
            tree.end[parent] = tree.end[parent].max(tree.end[node]);
        }
        Ok(tree)
    }

    fn push(&mut self, label: &str, parent: Node) -> Result<Node> {
        let node = self.labels.len() as Node;
        if self.by_label.insert(label.to_owned(), node).is_some() {
            return Err(Error::spec(format!(
                "the value `{label}` is listed more than once"
            )));
        }
        self.labels.push(label.to_owned());
        self.leaves_before.push(self.leaf_nodes.len() as Leaf);
        if node == 0 {
            self.parent.push(0);
            self.depth.push(0);
            self.jump.push(0);
            return Ok(node);
        }
        let up = parent as usize;
        self.parent.push(parent);
        self.depth.push(self.depth[up] + 1);
        // A jump as long as the parent's two jumps together when these are equal, else a step: O(log depth) to anywhere.
        let over = self.jump[up];
        let over_again = self.jump[over as usize];
        let equal_jumps = self.depth[up] - self.depth[over as usize]
            == self.depth[over as usize] - self.depth[over_again as usize];
        self.jump
            .push(if equal_jumps { over_again } else { parent });
        Ok(node)
    }

    /// The same tree with one more leaf directly under the root, for rows without a value.
    pub fn with_missing(self) -> Result<Self> {
        let (mut tree, leaf) = self.with_extra_leaf("", "the missing value")?;
        tree.missing = Some(leaf);
        Ok(tree)
    }

    /// The same tree with the item for the empty set, directly under the root unless the tree has it already.
    pub fn with_empty_set(self) -> Result<Self> {
        if let Some(leaf) = self.leaf_of_label(EMPTY_SET_LABEL) {
            let mut tree = self;
            tree.empty_set = Some(leaf);
            return Ok(tree);
        }
        let (mut tree, leaf) = self.with_extra_leaf(EMPTY_SET_LABEL, "the empty set")?;
        tree.empty_set = Some(leaf);
        Ok(tree)
    }

    /// The same tree with a leaf for the values that it lacks, directly under the root unless it has one already.
    pub fn with_other(self) -> Result<Self> {
        if self.other().is_some() {
            return Ok(self);
        }
        let (tree, _) = self.with_extra_leaf(OTHER_LABEL, "values that the tree lacks")?;
        Ok(tree)
    }

    /// The leaf called `other`.
    pub fn other(&self) -> Option<Leaf> {
        let is_other = |leaf: &Leaf| self.leaf_label(*leaf).eq_ignore_ascii_case(OTHER_LABEL);
        self.leaf_of_label(OTHER_LABEL)
            .or_else(|| (0..self.n_leaves() as Leaf).find(is_other))
    }

    /// Appends a leaf as the root's last child, which leaves every other number as it is.
    fn with_extra_leaf(mut self, label: &str, what: &str) -> Result<(Self, Leaf)> {
        if self.by_label.contains_key(label) {
            return Err(Error::spec(format!(
                "the taxonomy has a node `{label}`, which is the text of {what}"
            )));
        }
        self.leaves_before.pop();
        let node = self.push(label, 0)?;
        let leaf = self.leaf_nodes.len() as Leaf;
        self.leaf_nodes.push(node);
        self.leaves_before.push(leaf + 1);
        self.end.push(node + 1);
        self.end[0] = node + 1;
        self.height = self.height.max(1);
        Ok((self, leaf))
    }

    /// Number of nodes, the root included.
    pub fn n_nodes(&self) -> usize {
        self.labels.len()
    }

    /// Number of leaves: how many different raw values there can be.
    pub fn n_leaves(&self) -> usize {
        self.leaf_nodes.len()
    }

    /// Edges on the longest path from the root to a leaf.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The leaf for rows without a value, where the column may be missing.
    pub fn missing(&self) -> Option<Leaf> {
        self.missing
    }

    /// The item for the empty set, in set-valued columns.
    pub fn empty_set(&self) -> Option<Leaf> {
        self.empty_set
    }

    /// The text of a node.
    pub fn label(&self, node: Node) -> &str {
        &self.labels[node as usize]
    }

    /// The text of a leaf.
    pub fn leaf_label(&self, leaf: Leaf) -> &str {
        self.label(self.node_of_leaf(leaf))
    }

    /// The node with a label.
    pub fn node_of_label(&self, label: &str) -> Option<Node> {
        self.by_label.get(label).copied()
    }

    /// The leaf with a label.
    pub fn leaf_of_label(&self, label: &str) -> Option<Leaf> {
        self.node_of_label(label)
            .and_then(|node| self.leaf_of_node(node))
    }

    /// The node of a leaf.
    pub fn node_of_leaf(&self, leaf: Leaf) -> Node {
        self.leaf_nodes[leaf as usize]
    }

    /// The leaf that a node is, if it is one.
    pub fn leaf_of_node(&self, node: Node) -> Option<Leaf> {
        self.is_leaf(node)
            .then(|| self.leaves_before[node as usize])
    }

    /// Whether a node has nothing under it.
    pub fn is_leaf(&self, node: Node) -> bool {
        node != 0 && self.end[node as usize] == node + 1
    }

    /// Edges from the root.
    pub fn depth(&self, node: Node) -> u32 {
        self.depth[node as usize]
    }

    /// The node above; the root is above itself.
    pub fn parent(&self, node: Node) -> Node {
        self.parent[node as usize]
    }

    /// The nodes directly below, in order.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let end = self.end[node as usize];
        let mut next = node + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = next;
                next = self.end[child as usize];
                child
            })
        })
    }

    /// The leaves under a node (itself, if it is one).
    pub fn leaves(&self, node: Node) -> Range<Leaf> {
        self.leaves_before[node as usize]..self.leaves_before[self.end[node as usize] as usize]
    }

    /// The nodes under a node, itself first.
    pub fn subtree(&self, node: Node) -> Range<Node> {
        node..self.end[node as usize]
    }

    /// Whether `above` is `below` or lies above it.
    pub fn is_ancestor(&self, above: Node, below: Node) -> bool {
        self.subtree(above).contains(&below)
    }

    /// The nodes from a node up to, and without, the root.
    pub fn path(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        std::iter::successors(Some(node), |&at| Some(self.parent(at))).take_while(|&at| at != 0)
    }

    /// The ancestor of a node at a depth that is at most its own.
    pub fn ancestor_at_depth(&self, node: Node, depth: u32) -> Node {
        let mut at = node;
        while self.depth(at) > depth {
            let jump = self.jump[at as usize];
            at = if self.depth(jump) >= depth {
                jump
            } else {
                self.parent(at)
            };
        }
        at
    }

    /// The deepest node that lies above both (or is one of them).
    pub fn lowest_common_ancestor(&self, a: Node, b: Node) -> Node {
        let depth = self.depth(a).min(self.depth(b));
        let mut a = self.ancestor_at_depth(a, depth);
        let mut b = self.ancestor_at_depth(b, depth);
        while a != b {
            let (jump_a, jump_b) = (self.jump[a as usize], self.jump[b as usize]);
            (a, b) = if jump_a == jump_b {
                (self.parent(a), self.parent(b))
            } else {
                (jump_a, jump_b)
            };
        }
        a
    }

    /// Edges between two nodes.
    pub fn path_length(&self, a: Node, b: Node) -> u32 {
        let meeting = self.lowest_common_ancestor(a, b);
        self.depth(a) + self.depth(b) - 2 * self.depth(meeting)
    }

    /// The labels of the leaves that name a value, in order: without the missing one and the empty set.
    pub fn value_labels(&self) -> impl Iterator<Item = &str> {
        (0..self.n_leaves() as Leaf)
            .filter(|&leaf| Some(leaf) != self.missing && Some(leaf) != self.empty_set)
            .map(|leaf| self.leaf_label(leaf))
    }

    /// The names of values nearest to those of some that it lacks, of which the first are looked at: a few, sorted.
    pub fn near_values<'a>(&self, lacking: impl Iterator<Item = &'a str>) -> Vec<&str> {
        let mut near: Vec<&str> = lacking
            .take(VALUES_COMPARED)
            .filter_map(|value| nearest_name(value, self.value_labels()))
            .collect();
        near.sort_unstable();
        near.dedup();
        near.truncate(NEAR_NAMES_SHOWN);
        near
    }
}
