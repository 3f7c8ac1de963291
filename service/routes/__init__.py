"""What can be called over HTTP, one file a part of the API."""
