"""Options and fixtures that every test may use."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write golden transcripts anew instead of comparing")


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--accept"))
