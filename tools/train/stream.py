"""An endless stream of batches from sample files, in random order, without loading the files into memory.

The order within a file is random already. A pass over the files reads all their chunks in random order and mixes a few
chunks at a time, so that further passes have other batches. The stream can start at any sample, so that an interrupted
run continues with the same batches.
"""

import queue
import threading

import numpy
import torch

from samples import RECORD, Batch

GROUP = 8  # chunks that are mixed; half a million records of 32 bytes
PREFETCHED = 4  # decoded batches that are ready before they are needed
PREFETCHED_PACKED = 64  # packed batches: enough for a GPU while the next group is read and mixed
FREE_DEVICE_MEMORY = 0.5  # share of the free memory of a GPU for chunks that remain on it


class Store:
    """The chunks of sample files. On a GPU they remain in its memory, as far as it suffices."""

    def __init__(self, files, device):
        self.device = torch.device(device)
        self.chunks = [(file, index) for file in files for index in range(len(file.checksums))]
        self.sizes = [file.chunk_size(index) for file, index in self.chunks]
        self.keeps = self.device.type != "cpu"
        self.kept = {}
        self.free = 0  # bytes on the device for further chunks
        if self.device.type == "cuda":
            torch.cuda.empty_cache()  # memory of a previous store, which PyTorch would keep for itself
            self.free = int(FREE_DEVICE_MEMORY * torch.cuda.mem_get_info(self.device)[0])

    def group(self, numbers):
        """Returns the records of the chunks with these numbers, one after the other, as a tensor on the device."""
        if not self.keeps:
            return torch.from_numpy(self.read(numbers))
        parts = []
        for number in numbers:
            chunk = self.kept.get(number)
            if chunk is None:
                chunk = on_device(self.read([number]), self.device)
                if chunk.numel() <= self.free:
                    self.free -= chunk.numel()
                    self.kept[number] = chunk
            parts.append(chunk)
        return torch.cat(parts)

    def read(self, numbers):
        """Returns the records of the chunks with these numbers as an array."""
        records = numpy.empty((sum(self.sizes[number] for number in numbers), RECORD.itemsize), numpy.uint8)
        end = 0
        for number in numbers:
            file, index = self.chunks[number]
            start, end = end, end + self.sizes[number]
            file.read_chunk(index, records[start:end])
        return records


def packed_batches(store, size, seed, first=0):
    """Yields packed batches of `size` records, from the sample with the number `first` of the stream on."""
    total = sum(store.sizes)
    number, skipped = divmod(first, total)  # pass, and samples of this pass that have been seen
    rest = torch.empty((0, RECORD.itemsize), dtype=torch.uint8, device=store.device)
    while True:
        generator = numpy.random.default_rng([*seed, number])
        order = generator.permutation(len(store.chunks))
        for start in range(0, len(order), GROUP):
            numbers = order[start : start + GROUP].tolist()
            count = sum(store.sizes[number] for number in numbers)
            seed_of_group = generator.integers(2**63)
            if skipped >= count:
                skipped -= count
                continue
            mixed = numpy.random.default_rng(seed_of_group).permutation(count)[skipped:]
            skipped = 0
            words = store.group(numbers).view(torch.int64)
            records = words.index_select(0, on_device(mixed, store.device)).view(torch.uint8)
            records = torch.cat([rest, records]) if len(rest) else records
            whole = len(records) // size * size
            for end in range(size, whole + 1, size):
                yield records[end - size : end]
            rest = records[whole:]
        number += 1


def on_device(array, device):
    """Returns an array as a tensor on a device. The copy to a GPU does not wait for the work that the GPU still has."""
    tensor = torch.from_numpy(array)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


class Stream:
    """Batches that a thread reads ahead; to be closed at the end.

    The thread also decodes them, unless `decode` is None: packed batches on a GPU take little memory.
    """

    def __init__(self, store, size, seed, first=0, decode=Batch):
        self.decode = decode
        self.batches = queue.Queue(PREFETCHED if decode else PREFETCHED_PACKED)
        self.is_closed = False
        self.thread = threading.Thread(target=self.produce, args=(store, size, seed, first), daemon=True)
        self.thread.start()

    def produce(self, *arguments):
        try:
            for records in packed_batches(*arguments):
                if self.is_closed:
                    return
                self.batches.put(self.decode(records) if self.decode else records)
        except BaseException as error:  # reported by the thread that waits for batches
            self.batches.put(error)

    def __iter__(self):
        return self

    def __next__(self):
        batch = self.batches.get()
        if isinstance(batch, BaseException):
            raise batch
        return batch

    def close(self):
        """Ends the thread."""
        self.is_closed = True
        while self.thread.is_alive():
            try:
                self.batches.get(timeout=0.1)
            except queue.Empty:
                pass
