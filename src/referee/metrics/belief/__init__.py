"""What a guesser's probabilities should be, and how far they are from it (belief.txt)."""
