//! Disjoint sets (union–find).

/// Sets of numbers that are joined, each known by its lowest member.
#[derive(Debug, Clone)]
pub struct UnionFind(Vec<u32>);

impl UnionFind {
    /// So many numbers, each a set of its own.
    pub fn new(members: usize) -> Self {
        Self((0..members as u32).collect())
    }

    /// The lowest number of the set that a number belongs to.
    pub fn root(&mut self, mut member: u32) -> u32 {
        while self.0[member as usize] != member {
            self.0[member as usize] = self.0[self.0[member as usize] as usize];
            member = self.0[member as usize];
        }
        member
    }

    /// Makes the sets of two numbers one.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// Makes a number a set of its own again, which has to be done with all of its set.
    pub fn separate(&mut self, member: u32) {
        self.0[member as usize] = member;
    }

    /// The number of the set of each of some members, in the order in which sets appear, and how many there are.
    pub fn numbered(&mut self, members: impl Iterator<Item = u32>) -> (Vec<u32>, usize) {
        let mut number = vec![u32::MAX; self.0.len()];
        let mut count = 0;
        let numbers = members.map(|member| {
            let number = &mut number[self.root(member) as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            *number
        });
        (numbers.collect(), count as usize)
    }
}
