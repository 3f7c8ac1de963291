"""The shell around the rules: HTTP, storage, time and chance."""
