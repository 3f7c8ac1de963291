"""The rules of the games and of the table: pure functions over immutable values."""
