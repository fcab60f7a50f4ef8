"""Warnings of python-chess, so that a test can fail if there are any."""

import logging


class Complaints(logging.Handler):
    """Stores the warnings of python-chess, except two that every correct engine causes: one about `sigterm=0`, and one
    about the answer to the `.` with which python-chess ends an analysis."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.found = []

    def emit(self, record):
        text = record.getMessage()
        if not text.endswith("Rejecting feature sigterm=0") and "output: 'stat01: " not in text:
            self.found.append(text)
