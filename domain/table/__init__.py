"""What all games share: seats, rounds, seeds, clocks, leaving, opening (TABLE.md)."""
