//! Where a line of values may not be split.

/// Places from 0 on, some of them taken; finds and takes stretches in next to no time each.
#[derive(Debug, Clone)]
pub(super) struct Forbidden {
    /// A place at or after this one that may be free; itself if it is free. One past the end is always free.
    next: Vec<u32>,
}

impl Forbidden {
    /// Nothing is forbidden yet.
    pub(super) fn none(n_places: usize) -> Self {
        Self {
            next: (0..=n_places as u32).collect(),
        }
    }

    fn find(&mut self, place: u32) -> u32 {
        let mut root = place;
        while self.next[root as usize] != root {
            root = self.next[root as usize];
        }
        let mut at = place;
        while self.next[at as usize] != root {
            at = std::mem::replace(&mut self.next[at as usize], root);
        }
        root
    }

    /// Forbids the places from `first` to `last`, both included.
    pub(super) fn forbid(&mut self, first: u32, last: u32) {
        let end = self.next.len() as u32 - 1;
        let mut at = self.find(first.min(end));
        while at <= last && at < end {
            self.next[at as usize] = at + 1;
            at = self.find(at + 1);
        }
    }

    pub(super) fn is_free(&self, place: u32) -> bool {
        self.next[place as usize] == place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_agrees_with_a_list_of_places(n in 0_usize..60, stretches in prop::collection::vec((0_u32..60, 0_u32..60), 0..20)) {
            let mut forbidden = Forbidden::none(n);
            let mut list = vec![true; n];
            for (a, b) in stretches {
                let (first, last) = (a.min(b), a.max(b));
                forbidden.forbid(first, last);
                for place in first..=last {
                    if (place as usize) < n {
                        list[place as usize] = false;
                    }
                }
                for (place, &free) in list.iter().enumerate() {
                    prop_assert_eq!(forbidden.is_free(place as u32), free);
                }
            }
        }
    }
}
