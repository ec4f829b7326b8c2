//! The principal variations of a running search, one for each ply.

/// The best line found from each ply of the current path.
#[derive(Clone, Debug)]
pub struct Lines<M>(Vec<Vec<M>>);

impl<M: Copy> Lines<M> {
    /// Lines for plies up to `deepest`.
    pub fn new(deepest: usize) -> Self {
        Lines(vec![Vec::new(); deepest + 2])
    }

    /// Clears the line from this ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the line from this ply to this one move, or to nothing.
    #[inline]
    pub fn end(&mut self, ply: usize, mv: impl IntoIterator<Item = M>) {
        self.0[ply].extend(mv);
    }

    /// Sets the line from this ply to this move and then the line from the next ply.
    #[inline]
    pub fn keep(&mut self, ply: usize, mv: M) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// The best line from this ply.
    pub fn line(&self, ply: usize) -> &[M] {
        &self.0[ply]
    }

    /// The line from the root.
    pub fn root(&self) -> &[M] {
        &self.0[0]
    }

    /// The best move at the root.
    pub fn best(&self) -> Option<M> {
        self.0[0].first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_built_from_its_end() {
        let mut lines = Lines::new(3);
        assert_eq!(lines.best(), None);
        lines.end(2, [7]);
        lines.keep(1, 8);
        lines.keep(0, 9);
        assert_eq!((lines.root(), lines.best()), (&[9, 8, 7][..], Some(9)));
        lines.clear(1);
        lines.keep(0, 6);
        assert_eq!(lines.root(), [6]);
        lines.end(3, None);
        lines.keep(2, 5);
        assert_eq!(lines.root(), [6]);
    }
}
