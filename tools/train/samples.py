"""Positions as `gaur data samples` writes them: fixed records, read without copying."""

import numpy
import torch

PIECES = 32
PER_SIDE = 384
NO_PIECE = 2 * PER_SIDE
SETS = 8  # of output weights
PIECES_PER_SET = 4

RECORD = numpy.dtype(
    [
        ("features", "<u2", PIECES),  # in the eyes of the side to move; then NO_PIECE
        ("score", "<i2"),  # centipawns, for the side to move
        ("result", "u1"),  # half points of the side to move
        ("pieces", "u1"),
        ("king", "u1"),  # of the side to move, in its eyes
        ("other_king", "u1"),  # of the other side, in that side's eyes
        ("outlook", "<u2"),  # points to expect as the game went on, 0 to 65535
    ]
)


class Batch:
    """Some positions: the rows of the first layer for the sides to move, then for the others, flat, with where each starts."""

    def __init__(self, records):
        features = records["features"]
        is_piece = features < NO_PIECE
        counts = is_piece.sum(axis=1)
        own = features[is_piece].astype(numpy.int32)
        other = (own + PER_SIDE) % NO_PIECE ^ 56
        own ^= numpy.repeat(mirror(records["king"]), counts)
        other ^= numpy.repeat(mirror(records["other_king"]), counts)
        self.rows = torch.from_numpy(numpy.concatenate([own, other]))
        ends = numpy.cumsum(numpy.concatenate([counts, counts]))
        self.starts = torch.from_numpy(numpy.concatenate([[0], ends[:-1]]).astype(numpy.int32))
        self.sets = torch.from_numpy(numpy.minimum((counts - 2) // PIECES_PER_SET, SETS - 1))
        self.score = torch.from_numpy(records["score"].astype(numpy.float32))
        self.outlook = torch.from_numpy(records["outlook"].astype(numpy.float32) / 65535)
        self.result = torch.from_numpy(records["result"].astype(numpy.float32) / 2)

    def to(self, device):
        for name, values in vars(self).items():
            setattr(self, name, values.to(device))
        return self


def mirror(kings):
    """What turns the board left to right for sides whose king stands on the files e to h, and leaves it for others."""
    return numpy.where(kings % 8 >= 4, 7, 0).astype(numpy.int32)


class Samples:
    """A file of positions, the last of them set aside for validation.

    Games lie in the file one after the other, so that but for one game the positions set aside are of games that are not
    trained on.
    """

    def __init__(self, path, validation_share):
        self.records = numpy.memmap(path, dtype=RECORD, mode="r")
        self.validation = int(len(self.records) * validation_share)
        self.training = len(self.records) - self.validation

    def batches(self, size, generator):
        """All positions to train on, once, in random order; what does not fill a batch is left out."""
        order = generator.permutation(self.training)
        for start in range(0, self.training - size + 1, size):
            yield Batch(self.records[numpy.sort(order[start : start + size])])

    def validation_batches(self, size):
        """All positions set aside."""
        for start in range(self.training, len(self.records), size):
            yield Batch(self.records[start : start + size])
