"""HTTP: strict reading, answers, problems, and the document that describes them."""
