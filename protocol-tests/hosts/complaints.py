"""What a host written with python-chess complains of, so that a test can fail for it."""

import logging


class Complaints(logging.Handler):
    """Keeps every warning of python-chess, but for the two that it has for every engine that does as it should: one
    about `sigterm=0`, and one about the answer to the `.` with which python-chess ends an analysis."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.found = []

    def emit(self, record):
        text = record.getMessage()
        if not text.endswith("Rejecting feature sigterm=0") and "output: 'stat01: " not in text:
            self.found.append(text)
