"""Tokens as an auditor reads them: accounts, statements, explanations, exports."""
