"""Runs training steps of models of torchvision and transformers under a live crosscheck: results compared, differences and time.

    PYTHONPATH=build/python python python/bench/models.py [--only NAME ...] [--steps N] [--rounds N]        # after `python -m ersatz build-glue`

Each model has random weights and makes two steps of AdamW (forward, backward, update). It runs without ersatz, under a Python
dispatch mode that does nothing, and under a crosscheck: by the Python dispatch mode, and by the native glue. All runs have equal
weights and seeds. "x" is the thread CPU time of a crosscheck divided by that of the empty mode, the least of the rounds each.
Needs torchvision and transformers. Exit status 1: a result differs, or a loss does not have equal bits in all runs.
"""

from __future__ import annotations

import argparse
import copy
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
import torchvision
import transformers
from torch.utils._python_dispatch import TorchDispatchMode

import ersatz.torch

Made = tuple[torch.nn.Module, Callable[[torch.nn.Module], torch.Tensor]]  # a model, and a function that computes its loss


class Empty(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def classifier(name: str, **options: Any) -> Made:
    images, labels = torch.randn(2, 3, 64, 64), torch.tensor([3, 7])
    return (torchvision.models.get_model(name, weights=None, num_classes=10, **options),
            lambda model: torch.nn.functional.cross_entropy(model(images), labels))


def segmenter(name: str) -> Made:
    images, labels = torch.randn(2, 3, 64, 64), torch.randint(0, 5, (2, 64, 64))
    return (torchvision.models.get_model(name, weights=None, weights_backbone=None, num_classes=5),
            lambda model: torch.nn.functional.cross_entropy(model(images)["out"], labels))


def detector(name: str) -> Made:
    images = [torch.rand(3, 96, 96), torch.rand(3, 80, 112)]
    boxes = torch.tensor([[4.0, 8.0, 40.0, 50.0], [20.0, 10.0, 70.0, 60.0]])
    targets = [{"boxes": boxes, "labels": torch.tensor([1, 2])} for _ in images]
    model = torchvision.models.get_model(name, weights=None, weights_backbone=None, num_classes=3, min_size=96, max_size=128)
    return model, lambda model: sum(model(images, targets).values())


SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 120}


def language(config: transformers.PretrainedConfig, kind: Any) -> Made:
    ids = torch.randint(3, 100, (2, 24))
    return kind.from_config(config), lambda model: model(input_ids=ids, labels=ids).loss


CAUSAL, MASKED, PAIRED = transformers.AutoModelForCausalLM, transformers.AutoModelForMaskedLM, transformers.AutoModelForSeq2SeqLM
MODELS: dict[str, Callable[[], Made]] = {
    **{name: lambda name=name: classifier(name) for name in ("resnet50", "mobilenet_v3_small", "efficientnet_b0", "regnet_x_400mf",
                                                             "convnext_tiny", "swin_t", "densenet121")},
    "vit_b_32": lambda: classifier("vit_b_32", image_size=64),
    "lraspp_mobilenet_v3_large": lambda: segmenter("lraspp_mobilenet_v3_large"),
    "fasterrcnn_mobilenet_v3_large_320_fpn": lambda: detector("fasterrcnn_mobilenet_v3_large_320_fpn"),
    "bert": lambda: language(transformers.BertConfig(**SMALL), MASKED),
    "gpt2": lambda: language(transformers.GPT2Config(n_embd=64, n_layer=2, n_head=4, vocab_size=120), CAUSAL),
    "llama": lambda: language(transformers.LlamaConfig(**SMALL), CAUSAL),
    "mixtral": lambda: language(transformers.MixtralConfig(**SMALL, num_key_value_heads=2, num_local_experts=4), CAUSAL),
    "t5": lambda: language(transformers.T5Config(d_model=64, d_ff=128, num_layers=2, num_heads=4, vocab_size=120, decoder_start_token_id=0), PAIRED),
}


def train(model: torch.nn.Module, loss_of: Callable[[torch.nn.Module], torch.Tensor], steps: int,
          mode: AbstractContextManager[Any]) -> tuple[list[float], float]:
    """Returns the losses of the steps, and their thread CPU time in seconds."""
    model = copy.deepcopy(model).train()
    torch.manual_seed(1)
    losses = []
    begin = time.thread_time()
    with mode:
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        for _ in range(steps):
            optimizer.zero_grad()
            loss = loss_of(model)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses, time.thread_time() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=[*MODELS])
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="the number of rounds; the least time counts")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, torchvision {torchvision.__version__}, transformers {transformers.__version__}, ersatz {ersatz.__version__}\n\n"
          "| model | compared | differ | skipped | the mode, x | compared | differ | skipped | the glue, x |\n|---|" + "--:|" * 8)
    wrong = False
    seconds = [0.0, 0.0, 0.0]
    totals = [0] * 6
    for name, make in MODELS.items():
        if options.only and name not in options.only:
            continue
        torch.manual_seed(0)
        model, loss_of = make()
        plain, _ = train(model, loss_of, options.steps, nullcontext())
        empty = min(train(model, loss_of, options.steps, Empty())[1] for _ in range(options.rounds))
        row, counts, times = [], [], [empty]
        for native in (False, True):
            taken = float("inf")
            for _ in range(options.rounds):
                crosscheck = ersatz.torch.crosscheck(native=native)
                losses, seconds_of_round = train(model, loss_of, options.steps, crosscheck)
                taken = min(taken, seconds_of_round)
            report = crosscheck.report.report
            counts += [report.compared, report.mismatched, sum(report.skipped.values())]
            row += [*counts[-3:], f"{taken / empty:.2f}"]
            times.append(taken)
            if losses != plain:
                print(f"{name}: losses {losses}, {plain} without ersatz", file=sys.stderr)
                wrong = True
            if not report.clean:
                print(report, file=sys.stderr)
            wrong = wrong or report.mismatched != 0
        seconds = [a + b for a, b in zip(seconds, times)]
        totals = [a + b for a, b in zip(totals, counts)]
        print(f"| {name} | " + " | ".join(map(str, row)) + " |", flush=True)
    print(f"| all | {totals[0]} | {totals[1]} | {totals[2]} | {seconds[1] / seconds[0]:.2f} "
          f"| {totals[3]} | {totals[4]} | {totals[5]} | {seconds[2] / seconds[0]:.2f} |")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
