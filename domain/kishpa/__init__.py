"""Kishpa: a tile game of runs and sets, with jokers that change every round, tokens and a bowl."""
