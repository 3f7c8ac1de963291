"""What follows from the lines and is kept beside them, so that it can be asked for."""
