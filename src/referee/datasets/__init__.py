"""One reader for each published format."""
