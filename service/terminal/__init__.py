"""The terminal: play, watch and replay tables over HTTP, for people and for programs."""
