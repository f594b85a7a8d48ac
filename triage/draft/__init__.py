"""From a log of a failure to a draft of a rule."""
