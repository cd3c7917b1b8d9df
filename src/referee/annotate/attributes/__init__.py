"""CompGuessWhat?!'s attributes of objects, made from the annotations of others (grounding.txt, 3.2)."""
