"""Many elements to few: sums, norms, scans, segments, orders."""
