"""The reference: static pages of all causes and rules."""
