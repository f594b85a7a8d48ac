"""A report as text, JSON or Markdown: each module one form, none computes anything."""
