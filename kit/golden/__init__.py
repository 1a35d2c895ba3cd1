"""The golden set: a judge's judgement over a few curated cases, one pass at a time, held against a floor."""
