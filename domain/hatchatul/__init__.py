"""Hatchatul: the lowest row of four cards that nobody may look at twice."""
