"""How near texts come to reference texts: n-grams, subsequences, embeddings; one module, one metric."""
