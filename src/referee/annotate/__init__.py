"""Makes labels from files and arrays."""
