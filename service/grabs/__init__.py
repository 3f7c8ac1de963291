"""Grabs that race each other: taken in one by one, told to nobody, and judged together."""
