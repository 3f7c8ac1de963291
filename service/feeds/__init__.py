"""Live feeds: what is committed, to everybody who watches and may hear it."""
