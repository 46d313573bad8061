//! Trees of values and the files they come from.

use std::fmt::Write as _;

use super::*;

fn parse(text: &str) -> Result<Taxonomy> {
    parse_taxonomy(text.as_bytes(), Path::new("tree.csv"))
}

/// The nodes from a node up to the root, both included, found one step at a time.
fn climb(tree: &Taxonomy, node: Node) -> Vec<Node> {
    let mut path = vec![node];
    while path[path.len() - 1] != 0 {
        path.push(tree.parent(path[path.len() - 1]));
    }
    path
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_relation_is_what_climbing_says(parents in parents(40)) {
        let labels: Vec<String> = (0..parents.len()).map(|node| format!("n{node}")).collect();
        let tree = tree_of(&parents, &labels);
        let nodes = 0..tree.n_nodes() as Node;
        let number = |draft_node: usize| match draft_node {
            0 => 0,
            _ => tree.node_of_label(&labels[draft_node - 1]).unwrap(),
        };
        for (child, &parent) in parents.iter().enumerate() {
            prop_assert_eq!(tree.parent(number(child + 1)), number(parent));
        }
        let mut all_leaves: Vec<Node> = Vec::new();
        for node in nodes.clone() {
            let path = climb(&tree, node);
            prop_assert_eq!(tree.depth(node) as usize, path.len() - 1);
            prop_assert_eq!(tree.path(node).collect::<Vec<_>>(), &path[..path.len() - 1]);
            for (up, &above) in path.iter().enumerate() {
                prop_assert_eq!(tree.ancestor_at_depth(node, (path.len() - 1 - up) as u32), above);
            }
            let children: Vec<Node> =
                nodes.clone().filter(|&other| other != 0 && tree.parent(other) == node).collect();
            prop_assert_eq!(tree.children(node).collect::<Vec<_>>(), &children[..]);
            prop_assert_eq!(tree.is_leaf(node), children.is_empty());
            if children.is_empty() {
                prop_assert_eq!(tree.leaf_of_node(node), Some(all_leaves.len() as Leaf));
                prop_assert_eq!(tree.node_of_leaf(all_leaves.len() as Leaf), node);
                all_leaves.push(node);
            }
        }
        prop_assert_eq!(tree.n_leaves(), all_leaves.len());
        let height = all_leaves.iter().map(|&leaf| tree.depth(leaf)).max().unwrap();
        prop_assert_eq!(tree.height(), height);
        for a in nodes.clone() {
            let path = climb(&tree, a);
            let below: Vec<Node> =
                all_leaves.iter().copied().filter(|&leaf| climb(&tree, leaf).contains(&a)).collect();
            let leaves: Vec<Node> = tree.leaves(a).map(|leaf| tree.node_of_leaf(leaf)).collect();
            prop_assert_eq!(leaves, below);
            for b in nodes.clone() {
                let other = climb(&tree, b);
                prop_assert_eq!(tree.is_ancestor(b, a), path.contains(&b));
                prop_assert_eq!(tree.subtree(b).contains(&a), path.contains(&b));
                let meeting = *path.iter().find(|node| other.contains(node)).unwrap();
                prop_assert_eq!(tree.lowest_common_ancestor(a, b), meeting);
                let steps = |path: &[Node]| path.iter().position(|&node| node == meeting).unwrap();
                prop_assert_eq!(tree.path_length(a, b) as usize, steps(&path) + steps(&other));
            }
        }
    }

    #[test]
    fn an_extra_leaf_leaves_every_other_number_alone(parents in parents(30)) {
        let labels: Vec<String> = (0..parents.len()).map(|node| format!("n{node}")).collect();
        let tree = tree_of(&parents, &labels);
        let extended = tree.clone().with_empty_set().unwrap().with_missing().unwrap();
        let missing = extended.missing().unwrap();
        prop_assert_eq!(extended.n_leaves(), tree.n_leaves() + 2);
        prop_assert_eq!(extended.leaf_label(missing), "");
        prop_assert_eq!(extended.leaf_label(extended.empty_set().unwrap()), "none");
        prop_assert_eq!(extended.parent(extended.node_of_leaf(missing)), 0);
        prop_assert!(extended.value_labels().eq(tree.value_labels()));
        for node in 1..tree.n_nodes() as Node {
            prop_assert_eq!(tree.label(node), extended.label(node));
            prop_assert_eq!(tree.leaves(node), extended.leaves(node));
            prop_assert_eq!(tree.parent(node), extended.parent(node));
        }
        prop_assert_eq!(extended.leaves(0), 0..extended.n_leaves() as Leaf);
    }
}

#[test]
fn a_chain_of_ten_thousand_levels_is_climbed_in_few_jumps() {
    let levels = 10_000;
    let spine: Vec<String> = (0..levels).rev().map(|level| format!("s{level}")).collect();
    let text = format!(
        "deep;{0};*\nalso deep;{0};*\nshallow;s0;*\n",
        spine.join(";")
    );
    let tree = parse(&text).unwrap();
    assert_eq!(tree.height(), levels + 1);
    let [deep, also_deep, shallow] =
        ["deep", "also deep", "shallow"].map(|label| tree.node_of_label(label).unwrap());
    assert_eq!(
        tree.label(tree.lowest_common_ancestor(deep, also_deep)),
        "s9999"
    );
    assert_eq!(tree.label(tree.lowest_common_ancestor(deep, shallow)), "s0");
    assert_eq!(tree.path_length(deep, shallow), levels + 1);
    // Climbing step by step would take ten thousand million steps here.
    for query in 0..1_000_000 {
        let depth = query % levels;
        assert_eq!(tree.depth(tree.ancestor_at_depth(deep, depth)), depth);
    }
}

#[test]
fn padded_quoted_and_foreign_files_make_the_same_tree() {
    let plain = parse("flu;airways;*\nasthma;airways;*\nfracture;*\n").unwrap();
    for text in [
        "\u{feff}flu;airways;*\nasthma;airways;*\nfracture;*\n",
        "flu;airways;*\r\nasthma;airways;*\r\nfracture;*\r\n",
        "flu;airways;*\n\nasthma;airways;*\n\n\nfracture;*",
        "flu;airways;*;*\nasthma;airways;airways;*\nfracture;fracture;fracture;*\n",
        "\"flu\";\"airways\";\"*\"\n asthma ; airways ; *\nfracture;*\n",
        "flu;airways;Any\nasthma;airways;Any\nfracture;Any\n",
    ] {
        assert_eq!(parse(text).unwrap(), plain, "{text:?}");
    }
    assert_eq!(plain.label(0), "*");
    assert_eq!(plain.height(), 2);
    assert_eq!(
        plain.value_labels().collect::<Vec<_>>(),
        ["flu", "asthma", "fracture"]
    );
    let quoted = parse("\"a;b\";\"says \"\"so\"\"\";*\n\"two\nlines\";*\n").unwrap();
    assert_eq!(quoted.leaf_label(0), "a;b");
    assert_eq!(
        quoted.label(quoted.parent(quoted.node_of_leaf(0))),
        "says \"so\""
    );
    assert_eq!(quoted.leaf_label(1), "two\nlines");
}

#[test]
fn a_taxonomy_as_large_as_icd_9_is_read() {
    let n_leaves = 17_553;
    let mut text = String::new();
    for code in 0..n_leaves {
        writeln!(text, "{code:05};c{:03};b{:02};*", code / 20, code / 400).unwrap();
    }
    let tree = parse(&text).unwrap();
    assert_eq!(tree.n_leaves(), n_leaves);
    assert_eq!(tree.height(), 3);
    let node = |label: &str| tree.node_of_label(label).unwrap();
    assert_eq!(tree.leaves(node("c001")), 20..40);
    assert_eq!(tree.leaves(node("b01")), 400..800);
    assert_eq!(tree.path_length(node("00000"), node("17552")), 6);
    assert_eq!(tree.path_length(node("00000"), node("00019")), 2);
}

#[test]
fn a_bad_file_gets_an_error_with_its_line() {
    let many_blank_lines = "a;x;*\r\n\r\n\r\nb;x;*\r\na;*\r\n";
    for (text, expected) in [
        (
            "a;x;*\nb;y;*\na;y;*\n",
            "tree.csv:3: `a` has two parents: `x` on line 1, and `y` here\nhint: a label stands for one node: give one of the two another label",
        ),
        (
            "a;x;y;*\nb;x;*\n",
            "tree.csv:2: `x` has two parents: `y` on line 1, and `*` here\nhint: a label stands for one node: give one of the two another label",
        ),
        (
            many_blank_lines,
            "tree.csv:5: `a` has two parents: `x` on line 1, and `*` here\nhint: a label stands for one node: give one of the two another label",
        ),
        (
            "a;b;root\nb;a;root\n",
            "tree.csv:2: `a` has two parents: `b` on line 1, and `root` here\nhint: a label stands for one node: give one of the two another label",
        ),
        (
            "a;x;*\nroot;x;*\nb;*;root\n",
            "tree.csv:3: the taxonomy has several roots: `*` and `root`\nhint: end every line with the same label, for example `*`",
        ),
        (
            "a;x;*\nb;x\n",
            "tree.csv:2: the taxonomy has several roots: `*` and `x`\nhint: end every line with the same label, for example `*`",
        ),
        (
            "a;b;a;root\n",
            "tree.csv:1: `a` stands above itself\nhint: a label stands for one node: give one of the two another label",
        ),
        (
            "a;x;*\nb;x;*\na;x;*\n",
            "tree.csv:3: the value `a` is listed twice, first on line 1",
        ),
        (
            "x;*\na;x;*\n",
            "tree.csv:1: `x` is a value and has other values below it\nhint: give the inner node another label, for example with a trailing `*`",
        ),
        (
            "a;x;*\nb;a;x;*\n",
            "tree.csv:1: `a` is a value and has other values below it\nhint: give the inner node another label, for example with a trailing `*`",
        ),
        ("a;*\nb;;*\n", "tree.csv:2: label 2 of the line is empty"),
        ("a;a;;*\n", "tree.csv:1: label 3 of the line is empty"),
        ("a;*;\n", "tree.csv:1: label 3 of the line is empty"),
        ("", "tree.csv: the taxonomy is empty"),
        ("\n\r\n\n", "tree.csv: the taxonomy is empty"),
        (
            "a;*\nb\n",
            "tree.csv:2: a taxonomy line needs a leaf and a root\nhint: write one line per leaf: `leaf;parent;…;root`",
        ),
        (
            "a;a\n",
            "tree.csv:1: a taxonomy line needs a leaf and a root\nhint: write one line per leaf: `leaf;parent;…;root`",
        ),
        (
            "a;Any\nb;*;Any\n",
            "tree.csv:2: `*` is the text of the root; no other node may have it",
        ),
        (
            "a;Any\n*;Any\n",
            "tree.csv:2: `*` is the text of the root; no other node may have it",
        ),
        (
            "a;*\nb;\"x;*\nc;*\n",
            "tree.csv:2: this line has a double quote that is never closed",
        ),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text:?}");
        assert_eq!(error.kind(), crate::error::Kind::Spec);
    }
    let not_text = parse_taxonomy(b"a;*\n\xff;*\n", Path::new("tree.csv")).unwrap_err();
    assert_eq!(
        not_text.to_string(),
        "tree.csv:2: the taxonomy is not UTF-8 text\nhint: save the file as UTF-8"
    );
}

#[test]
fn a_list_of_values_refuses_what_could_not_be_told_apart() {
    let message = |values: &[&str]| {
        Taxonomy::star(values.iter().copied())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        message(&["a", "b", "a"]),
        "the value `a` is listed more than once"
    );
    assert_eq!(message(&["a", ""]), "a value is empty");
    assert_eq!(
        message(&["*"]),
        "`*` stands for what is hidden: no value may be written so"
    );
    let inner = parse("a;none;*\n").unwrap().with_empty_set().unwrap_err();
    assert_eq!(
        inner.to_string(),
        "the taxonomy has a node `none`, which is the text of the empty set"
    );
    let own = parse("none;*\na;*\n").unwrap().with_empty_set().unwrap();
    assert_eq!((own.empty_set(), own.n_leaves()), (Some(0), 2));
    assert_eq!(Taxonomy::star::<&str>([]).unwrap().n_leaves(), 0);
}

#[test]
fn values_that_the_tree_lacks_are_counted_and_never_shown() {
    let taxonomy = parse("flu;airways;*\nasthma;airways;*\nfracture;*\n").unwrap();
    let tree = Some((taxonomy, TreeSource::Taxonomy));
    let diagnosis = column("diagnosis", Kind::Values { tree: tree.clone() });
    let rows = "diagnosis\nflu\nasthmaa\nfractur\nasthmaa\nxyzzy\nairways\n";
    let error = read_text(rows, &plan([diagnosis])).unwrap_err();
    assert_eq!(
        shown(&error),
        "table.csv: column `diagnosis` has 4 values that its taxonomy lacks, in 5 rows, first on line 3\n\
         hint: the nearest names there: `asthma`, `fracture`"
    );
    for cell in ["asthmaa", "fractur`", "xyzzy", "airways"] {
        assert!(!error.to_string().contains(cell), "{cell}");
        assert!(
            !format!("{error:?}").contains(&format!("\"{cell}")),
            "{cell}"
        );
    }
    let sets = column(
        "diagnosis",
        Kind::Sets {
            tree,
            separator: "+".to_owned(),
        },
    );
    let error = read_text("diagnosis\nflu+xyzzy+quux\nflu\n", &plan([sets])).unwrap_err();
    assert_eq!(
        shown(&error),
        "table.csv: column `diagnosis` has 2 values that its taxonomy lacks, in 1 row, first on line 2\n\
         hint: add them to its taxonomy, or correct the rows"
    );
    let sex = column("sex", listed(&["female", "male"]));
    let error = read_text("sex\nFemale\nmale\n", &plan([sex])).unwrap_err();
    assert_eq!(
        shown(&error),
        "table.csv: column `sex` has 1 value that its list of values lacks, in 1 row, first on line 2\n\
         hint: the nearest names there: `female`"
    );
}

#[test]
fn more_unknown_values_than_anybody_wants_to_know_are_told_quickly() {
    let labels: Vec<String> = (0..17_553).map(|code| format!("code {code:05}")).collect();
    let taxonomy = Taxonomy::star(labels.iter().map(String::as_str)).unwrap();
    let kind = Kind::Values {
        tree: Some((taxonomy, TreeSource::List)),
    };
    let mut rows = String::from("code\n");
    for code in 0..20_000 {
        writeln!(rows, "kode {code:05}").unwrap();
    }
    let error = read_text(&rows, &plan([column("code", kind)])).unwrap_err();
    assert_eq!(
        error.message(),
        "column `code` has at least 10000 values that its list of values lacks, in 20000 rows, first on line 2"
    );
}
