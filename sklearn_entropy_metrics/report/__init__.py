"""Reports: numbers of predictions in words, as text, Markdown and pages."""
