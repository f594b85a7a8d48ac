"""From observations and facts to ranked causes."""
