"""Sets of input features, by number of king buckets. `check_features.py` compares them with those of the engine.

A feature is a piece of the own side or the opponent on a square, with the bucket of the own king. Its number is 768 times
the bucket, plus 384 for a piece of the opponent, plus 64 times the kind of the piece, plus the square. The board is seen
from the own end, and mirrored so that the own king stands on files a to d.
"""

import numpy

# The bucket of each square of the own king on files a to d, from the own back rank on.
INPUT_SETS = {
    1: [[0, 0, 0, 0]] * 8,
    4: [[0, 0, 1, 1], [2, 2, 2, 2]] + [[3, 3, 3, 3]] * 6,
}


def king_bucket_table(king_buckets):
    """Returns the bucket of each square of the own king, a1 first, as seen from the own end."""
    return numpy.array([rank + rank[::-1] for rank in INPUT_SETS[king_buckets]], numpy.int32).reshape(64)
