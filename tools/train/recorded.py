"""Repetition of the operations of a training step on a GPU, recorded as a CUDA graph.

A step consists of about 150 operations. A processor takes longer to start them one by one than a GPU to execute them.
"""

import torch

FIRST_STEPS = 3  # before the recording, so that PyTorch has initialised everything


class RecordedStep:
    """A function of packed positions on a GPU, whose operations are recorded and repeated.

    The function always gets the same number of positions and does not wait for the GPU. The results of its operations are
    parameters and other tensors that it changes in place.
    """

    def __init__(self, function, device):
        self.function = function
        self.steps = 0
        self.stream = torch.cuda.Stream(device)
        self.graph = self.records = None

    def __call__(self, records):
        self.steps += 1
        try:
            if self.steps <= FIRST_STEPS:
                self.execute(records)
                return
            if self.graph is None:
                self.record(records)
        except RuntimeError as error:  # also of insufficient memory
            reason = str(error).partition("\n")[0]
            raise SystemExit(f"cannot train on this GPU: {reason}; choose a smaller batch, or --device cpu") from None
        self.records.copy_(records)
        self.graph.replay()

    def execute(self, records):
        """Executes the operations one by one, on the stream on which they will be recorded."""
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            self.function(records)
        torch.cuda.current_stream().wait_stream(self.stream)

    def record(self, records):
        """Records the operations without executing them."""
        self.records, self.graph = records.clone(), torch.cuda.CUDAGraph()
        # Of this thread only: the one that reads samples allocates memory and copies at the same time.
        with torch.cuda.graph(self.graph, stream=self.stream, capture_error_mode="thread_local"):
            self.function(self.records)
