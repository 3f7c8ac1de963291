"""Totem: turn a card up, see the match before the others do, and grab."""
