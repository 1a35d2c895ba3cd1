"""What bytes mean: dialects of model APIs and the framing of streams."""
