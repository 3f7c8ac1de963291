"""The road of a command and what can be read of tables; read `commands.py` first."""
