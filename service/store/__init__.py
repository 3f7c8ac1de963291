"""Where lines are kept: eventsourcing's recorders with our side rows in the same transaction."""
