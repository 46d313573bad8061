//! A taxonomy as a tree of text, cut where a terminal ends.

use std::fmt::Write;

use pleiad::table::{Node, Taxonomy};

use crate::summary::text::{counted, grouped};
use crate::terminal::visible;

/// How much of a tree is drawn.
#[derive(Debug, Clone, Copy)]
struct Cut {
    depth: u32,
    /// Nodes drawn below each.
    children: usize,
}

const WHOLE: Cut = Cut {
    depth: u32::MAX,
    children: usize::MAX,
};

/// Nodes drawn below each where not all of them fit, tried in this order.
const FEWER: [usize; 4] = [20, 10, 5, 3];

/// The tree down to a depth; without one, as much as fits so many lines, if there is a limit.
pub(super) fn drawing(taxonomy: &Taxonomy, depth: Option<u32>, lines: Option<usize>) -> String {
    let fits = |cut: Cut| {
        let text = draw(taxonomy, cut);
        // Two lines are for the prompt and for what was typed.
        lines
            .is_none_or(|lines| text.lines().count() + 2 <= lines)
            .then_some(text)
    };
    if let Some(depth) = depth {
        return draw(taxonomy, Cut { depth, ..WHOLE });
    }
    let cuts = || {
        let depths = (1..=taxonomy.height()).rev();
        let fewer = depths.flat_map(|depth| FEWER.map(|children| Cut { depth, children }));
        std::iter::once(WHOLE).chain(fewer)
    };
    let smallest = Cut {
        depth: 1,
        children: FEWER[FEWER.len() - 1],
    };
    cuts()
        .find_map(fits)
        .unwrap_or_else(|| draw(taxonomy, smallest))
}

fn draw(taxonomy: &Taxonomy, cut: Cut) -> String {
    let mut text = format!("{}\n", described(taxonomy, 0));
    below(taxonomy, 0, "", cut, &mut text);
    text
}

fn below(taxonomy: &Taxonomy, node: Node, indent: &str, cut: Cut, text: &mut String) {
    if taxonomy.depth(node) >= cut.depth {
        return;
    }
    let n_children = taxonomy.children(node).count();
    // A line that says "1 more" could as well show it.
    let n_drawn = if n_children > cut.children.saturating_add(1) {
        cut.children
    } else {
        n_children
    };
    for (at, child) in taxonomy.children(node).take(n_drawn).enumerate() {
        let is_last = at + 1 == n_children;
        let (branch, further) = if is_last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        let _ = writeln!(text, "{indent}{branch}{}", described(taxonomy, child));
        below(taxonomy, child, &format!("{indent}{further}"), cut, text);
    }
    if n_drawn < n_children {
        let _ = writeln!(
            text,
            "{indent}└─ … {} more",
            grouped((n_children - n_drawn) as u64)
        );
    }
}

fn described(taxonomy: &Taxonomy, node: Node) -> String {
    let label = visible(taxonomy.label(node));
    if taxonomy.is_leaf(node) {
        return label;
    }
    let n_values = taxonomy.leaves(node).len() as u64;
    format!("{label}  ({})", counted(n_values, "value"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use insta::assert_snapshot;
    use pleiad::table::parse_taxonomy;

    use super::*;

    fn codes() -> Taxonomy {
        let mut lines = String::new();
        for code in 0..60 {
            let _ = writeln!(lines, "{code:02};{}*;*", code / 10);
        }
        parse_taxonomy(lines.as_bytes(), Path::new("codes.csv")).unwrap()
    }

    #[test]
    fn a_tree_is_cut_to_the_lines_that_there_are() {
        assert_eq!(drawing(&codes(), None, None).lines().count(), 67);
        assert!(drawing(&codes(), None, Some(30)).lines().count() <= 28);
        assert_snapshot!(drawing(&codes(), None, Some(9)), @"
        *  (60 values)
        ├─ 0*  (10 values)
        ├─ 1*  (10 values)
        ├─ 2*  (10 values)
        ├─ 3*  (10 values)
        ├─ 4*  (10 values)
        └─ 5*  (10 values)
        ");
        assert_snapshot!(drawing(&codes(), None, Some(7)), @"
        *  (60 values)
        ├─ 0*  (10 values)
        ├─ 1*  (10 values)
        ├─ 2*  (10 values)
        └─ … 3 more
        ");
    }

    #[test]
    fn a_depth_that_is_asked_for_is_drawn_whole() {
        assert_eq!(drawing(&codes(), Some(1), Some(3)).lines().count(), 7);
    }
}
