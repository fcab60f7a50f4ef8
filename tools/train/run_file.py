"""Reads the run file of a training run: a TOML file with all settings that the network depends on.

`docs/network.md` lists all keys. Unknown keys and wrong values end the program with one line that names file and key.
"""

import dataclasses
import math
import os
import pathlib
import tomllib

from input_sets import INPUT_SETS
from netfile import HIDDEN, HIDDEN_WIDTHS, MAX_NAME_BYTES, MAX_OUTPUT_BUCKETS, NEURONS, OUTPUT_WEIGHT_SCALES, is_name


@dataclasses.dataclass
class NetworkSettings:
    """Sizes of the network."""

    neurons: int = 512  # per accumulator
    king_buckets: int = 1
    factorised: bool = True  # feature weights are sums of weights of the king bucket and shared ones
    output_buckets: int = 8
    # Neurons of two hidden layers before the output, whose inputs are products of the two halves of an accumulator.
    # None: the inputs of the output are the squares of the accumulators.
    hidden: list = dataclasses.field(default_factory=list)

    def check(self):
        require(self.neurons in NEURONS, "neurons", f"one of {', '.join(map(str, NEURONS))}")
        sets = " or ".join(map(str, INPUT_SETS))
        require(self.king_buckets in INPUT_SETS, "king_buckets", sets)
        require(1 <= self.output_buckets <= MAX_OUTPUT_BUCKETS, "output_buckets", f"1 to {MAX_OUTPUT_BUCKETS}")
        is_known = self.hidden in ([], list(HIDDEN)) and all(is_of(size, int) for size in self.hidden)
        require(is_known, "hidden", f"[] or {list(HIDDEN)}")
        require(not self.hidden or self.neurons % HIDDEN_WIDTHS == 0, "neurons", f"a multiple of {HIDDEN_WIDTHS} with hidden layers")


@dataclasses.dataclass
class Stage:
    """Part of a run with training files of its own."""

    training: list  # sample files
    samples: int  # to be seen

    def check(self):
        require(self.training and all(is_of(path, str) for path in self.training), "training", "a list of file names")
        # A file that is named twice would silently count twice.
        is_different = len(set(map(os.path.abspath, self.training))) == len(self.training)
        require(is_different, "training", "a list of different files")
        require(self.samples > 0, "samples", "a positive number")


@dataclasses.dataclass
class Schedule:
    """Batches and learning rate. All lengths are in samples seen."""

    batch: int = 16384
    learning_rate: float = 4e-3
    final_learning_rate: float = 1e-5  # after the last batch, which has a slightly larger one
    warm_up: int = 0  # the learning rate rises linearly
    decay: int = -1  # length of the fall at the end; -1: a quarter of the run
    decay_shape: str = "linear"
    reports: int = 20  # how often losses are recorded
    validation_samples: int = 1_000_000  # for these records; 0: the whole file

    def check(self):
        require(self.batch > 0, "batch", "a positive number")
        require(self.learning_rate > 0, "learning_rate", "a positive number")
        require(0 <= self.final_learning_rate <= self.learning_rate, "final_learning_rate", "0 to learning_rate")
        require(self.warm_up >= 0, "warm_up", "0 or more")
        require(self.decay >= -1, "decay", "-1, 0 or more")
        require(self.decay_shape in ("cosine", "linear"), "decay_shape", '"cosine" or "linear"')
        require(self.reports > 0, "reports", "a positive number")
        require(self.validation_samples >= 0, "validation_samples", "0 or more")


@dataclasses.dataclass
class Target:
    """Training target and loss."""

    lambda_share: float = 0.3
    result_share: float = 0.0
    exponent: float = 1.2

    def check(self):
        require(self.lambda_share >= 0, "lambda_share", "0 or more")
        require(self.result_share >= 0, "result_share", "0 or more")
        require(self.lambda_share + self.result_share <= 1, "result_share", "at most 1 - lambda_share")
        require(self.exponent >= 1, "exponent", "1 or more")


@dataclasses.dataclass
class Optimiser:
    """Parameters of AdamW."""

    beta1: float = 0.9
    beta2: float = 0.999
    weight_decay: float = 0.01

    def check(self):
        require(0 <= self.beta1 < 1, "beta1", "0 to below 1")
        require(0 <= self.beta2 < 1, "beta2", "0 to below 1")
        require(self.weight_decay >= 0, "weight_decay", "0 or more")


@dataclasses.dataclass
class Quantisation:
    """Integers of the engine and limits of the parameters."""

    output_weight_scale: int = 128  # integer for 1.0
    output_weight: int = 127  # largest absolute output weight, as an integer
    output_weight_sum: float = 0.99  # largest sum of absolute output weights per bucket; 1.0: the limit of the engine
    feature_weight: float = 3.8  # largest absolute feature weight and bias; the sum of 33 then fits into 16 bits

    def check(self):
        require(self.output_weight_scale in OUTPUT_WEIGHT_SCALES, "output_weight_scale", " or ".join(map(str, OUTPUT_WEIGHT_SCALES)))
        require(1 <= self.output_weight <= 128, "output_weight", "1 to 128")
        require(0 < self.output_weight_sum <= 1, "output_weight_sum", "above 0, at most 1")
        require(0 < self.feature_weight <= 3.89, "feature_weight", "above 0, at most 3.89")


@dataclasses.dataclass
class RunFile:
    """Settings of a run."""

    name: str  # of the network
    stage: list
    seed: int = 1
    start: str = ""  # network file from which training starts; empty: random initialisation
    validation: str = ""  # sample file; empty: none
    network: NetworkSettings = dataclasses.field(default_factory=NetworkSettings)
    schedule: Schedule = dataclasses.field(default_factory=Schedule)
    target: Target = dataclasses.field(default_factory=Target)
    optimiser: Optimiser = dataclasses.field(default_factory=Optimiser)
    quantisation: Quantisation = dataclasses.field(default_factory=Quantisation)

    def check(self):
        is_valid = self.name and is_name(self.name) and "/" not in self.name
        require(is_valid, "name", f"1 to {MAX_NAME_BYTES} bytes without slashes and control characters")
        require(0 <= self.seed < 2**63, "seed", "0 to 2^63 - 1")
        require(self.stage, "stage", "at least one table")
        for stage in self.stage:
            require(stage.samples >= self.schedule.batch, "samples", "at least one batch in each stage")
        decay = decay_length(self.schedule, self.samples)
        expected = f"with decay ({decay}) at most all samples ({self.samples})"
        require(self.schedule.warm_up + decay <= self.samples, "schedule.warm_up", expected)

    @property
    def samples(self):
        """Number of samples that the whole run sees."""
        return sum(stage.samples // self.schedule.batch for stage in self.stage) * self.schedule.batch

    def settings(self):
        """Returns all values as nested dictionaries."""
        return dataclasses.asdict(self)


def decay_length(schedule, total):
    """Returns over how many of `total` samples the learning rate falls at the end."""
    return total // 4 if schedule.decay < 0 else schedule.decay


def learning_rate(schedule, seen, total):
    """Returns the learning rate after `seen` of `total` samples.

    The final learning rate is that after all samples: the last batch has a slightly larger one.
    """
    if seen < schedule.warm_up:
        return schedule.learning_rate * (seen + schedule.batch) / (schedule.warm_up + schedule.batch)
    decay = decay_length(schedule, total)
    progress = max(0.0, 1 - (total - seen) / decay) if decay else 0.0
    share = (1 + math.cos(math.pi * progress)) / 2 if schedule.decay_shape == "cosine" else 1 - progress
    return schedule.final_learning_rate + (schedule.learning_rate - schedule.final_learning_rate) * share


class WrongValue(Exception):
    """A key with a wrong value, and the expected values."""


def require(condition, key, expected):
    """Raises WrongValue unless the condition holds."""
    if not condition:
        raise WrongValue(f"{key} must be {expected}")


def is_of(value, kind):
    """Returns whether a TOML value has this type; an integer is also a number."""
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, (int, float) if kind is float else kind)


TYPE_NAMES = {int: "an integer", float: "a number", bool: "true or false", str: "a text", list: "a list"}


def parsed(kind, table, place):
    """Returns the values of a table as an object of the class `kind`."""
    if not isinstance(table, dict):
        raise WrongValue(f"{place or kind.__name__} must be a table")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    values = {}
    for key, value in table.items():
        path = f"{place}.{key}" if place else key
        if key not in fields:
            raise WrongValue(f"unknown key {path}; known are {', '.join(fields)}")
        of = fields[key].type
        if dataclasses.is_dataclass(of):
            values[key] = parsed(of, value, path)
        elif kind is RunFile and key == "stage":
            require(isinstance(value, list), path, "written as [[stage]]")
            values[key] = [parsed(Stage, stage, f"stage {number}") for number, stage in enumerate(value, 1)]
        else:
            require(is_of(value, of), path, TYPE_NAMES[of])
            require(of is not float or math.isfinite(value), path, "a finite number")
            values[key] = float(value) if of is float else value
    missing = [name for name, field in fields.items() if name not in values and is_required(field)]
    if missing:
        raise WrongValue(f"{place + '.' if place else ''}{missing[0]} is missing")
    result = kind(**values)
    try:
        result.check()
    except WrongValue as error:
        raise WrongValue(f"{place}.{error}" if place else str(error)) from None
    return result


def is_required(field):
    """Returns whether a field has no default."""
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def read(path):
    """Returns the run file at `path` and its text; ends the program with a message if it is invalid."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
        return parsed(RunFile, tomllib.loads(text), ""), text
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"cannot read {path}: {error}") from None
    except (tomllib.TOMLDecodeError, WrongValue) as error:
        raise SystemExit(f"{path}: {error}") from None
