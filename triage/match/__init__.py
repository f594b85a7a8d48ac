"""From text to observations: one pass of hyperscan, candidates confirmed by `regex`."""
