"""Exports models of transformers and torchvision with random weights by torch.export, draft_export and ersatz.torch.export.

    python python/bench/exported_zoo.py [--only NAME ...] [--seconds S] [-o FILE.jsonl]     # with the package on PYTHONPATH

Each model is small and has its default options: no attention implementation, cache or task switch is chosen for the export. The
inputs are those of the model's documentation. Prints a row of Markdown for each model. It says whether torch.export and draft_export
make a program, and how ersatz.torch.export ends. It also says whether each program equals eager, or why not, on the inputs and on
inputs that ersatz draws from them. Each model runs in a process of its own, with a limit of time and memory.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import queue
import sys
import time
import warnings

import torch

_SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 99}
_DECODER = {**_SMALL, "num_key_value_heads": 2, "max_position_embeddings": 64}
_SEQ2SEQ = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
            "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "vocab_size": 99, "max_position_embeddings": 64}
_VISION = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "image_size": 32, "patch_size": 8}


def _ids(rows=2, length=12, of=99):
    return torch.arange(rows * length).reshape(rows, length) % (of - 4) + 3


def _text(ids=None):
    ids = _ids() if ids is None else ids
    mask = torch.ones_like(ids)
    mask[-1, -3:] = 0
    return {"input_ids": ids, "attention_mask": mask}


def _transformers(model, config, inputs, **options):
    def make():
        import transformers

        kind = getattr(transformers, model)
        settings = getattr(transformers, config)(**options)
        return kind(settings).eval(), inputs()

    return make


def _seq2seq_text():
    return {**_text(), "decoder_input_ids": _ids(2, 5)}


def _image(rows=2, size=32):
    return {"pixel_values": torch.randn(rows, 3, size, size)}


def _torchvision(name, inputs, group="", **options):
    def make():
        import torchvision

        module = torchvision.models
        for part in filter(None, group.split(".")):
            module = getattr(module, part)
        return getattr(module, name)(weights=None, **options).eval(), inputs()

    return make


def _pictures():
    return {"images": [torch.rand(3, 64, 80), torch.rand(3, 72, 64)]}


_DETECTION = {"weights_backbone": None, "min_size": 64, "max_size": 96, "num_classes": 5}
MODELS = {
    "bert": _transformers("BertModel", "BertConfig", _text, **_SMALL),
    "roberta": _transformers("RobertaModel", "RobertaConfig", _text, **_SMALL),
    "distilbert": _transformers("DistilBertModel", "DistilBertConfig", _text, dim=32, n_layers=2, n_heads=4, hidden_dim=64, vocab_size=99),
    "albert": _transformers("AlbertModel", "AlbertConfig", _text, **_SMALL, embedding_size=16),
    "electra": _transformers("ElectraModel", "ElectraConfig", _text, **_SMALL, embedding_size=16),
    "deberta-v2": _transformers("DebertaV2Model", "DebertaV2Config", _text, **_SMALL, relative_attention=True, pos_att_type=["p2c", "c2p"]),
    "longformer": _transformers("LongformerModel", "LongformerConfig", _text, **_SMALL, attention_window=[4, 4]),
    "bigbird": _transformers("BigBirdModel", "BigBirdConfig", _text, **_SMALL, block_size=4, num_random_blocks=1),
    "xlnet": _transformers("XLNetModel", "XLNetConfig", _text, d_model=32, n_layer=2, n_head=4, d_inner=64, vocab_size=99),
    "gpt2": _transformers("GPT2LMHeadModel", "GPT2Config", _text, n_embd=32, n_layer=2, n_head=4, vocab_size=99, n_positions=64),
    "gpt-neox": _transformers("GPTNeoXForCausalLM", "GPTNeoXConfig", _text, **_SMALL),
    "opt": _transformers("OPTForCausalLM", "OPTConfig", _text, hidden_size=32, ffn_dim=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=99,
                         word_embed_proj_dim=32, max_position_embeddings=64),
    "llama": _transformers("LlamaForCausalLM", "LlamaConfig", _text, **_DECODER),
    "mistral": _transformers("MistralForCausalLM", "MistralConfig", _text, **_DECODER),
    "qwen2": _transformers("Qwen2ForCausalLM", "Qwen2Config", _text, **_DECODER),
    "qwen3": _transformers("Qwen3ForCausalLM", "Qwen3Config", _text, **_DECODER, head_dim=8),
    "gemma2": _transformers("Gemma2ForCausalLM", "Gemma2Config", _text, **_DECODER, head_dim=8),
    "phi": _transformers("PhiForCausalLM", "PhiConfig", _text, **_DECODER),
    "falcon": _transformers("FalconForCausalLM", "FalconConfig", _text, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, vocab_size=99),
    "mixtral": _transformers("MixtralForCausalLM", "MixtralConfig", _text, **_DECODER, num_local_experts=4),
    "qwen2-moe": _transformers("Qwen2MoeForCausalLM", "Qwen2MoeConfig", _text, **_DECODER, num_experts=4, num_experts_per_tok=2,
                               moe_intermediate_size=32, shared_expert_intermediate_size=32),
    "mamba": _transformers("MambaForCausalLM", "MambaConfig", lambda: {"input_ids": _ids()}, hidden_size=32, num_hidden_layers=2, vocab_size=99),
    "t5": _transformers("T5Model", "T5Config", _seq2seq_text, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, vocab_size=99),
    "bart": _transformers("BartModel", "BartConfig", _seq2seq_text, **_SEQ2SEQ),
    "whisper": _transformers("WhisperModel", "WhisperConfig",
                             lambda: {"input_features": torch.randn(2, 16, 60), "decoder_input_ids": _ids(2, 5)},
                             **{k: v for k, v in _SEQ2SEQ.items() if k != "max_position_embeddings"}, num_mel_bins=16, max_source_positions=30,
                             max_target_positions=32, decoder_start_token_id=1, pad_token_id=0, bos_token_id=1, eos_token_id=2),
    "wav2vec2": _transformers("Wav2Vec2Model", "Wav2Vec2Config", lambda: {"input_values": torch.randn(2, 800)}, **_SMALL, conv_dim=(16, 16),
                              conv_stride=(5, 4), conv_kernel=(10, 8), num_feat_extract_layers=2, num_conv_pos_embeddings=16,
                              num_conv_pos_embedding_groups=2),
    "vit": _transformers("ViTModel", "ViTConfig", _image, **_VISION),
    "dinov2": _transformers("Dinov2Model", "Dinov2Config", _image, **{k: v for k, v in _VISION.items() if k != "intermediate_size"}),
    "segformer": _transformers("SegformerModel", "SegformerConfig", _image, hidden_sizes=[16, 16, 32, 32], depths=[1, 1, 1, 1],
                               num_attention_heads=[1, 1, 2, 2]),
    "swin": _transformers("SwinModel", "SwinConfig", _image, image_size=32, patch_size=4, embed_dim=16, depths=[2, 2], num_heads=[2, 4], window_size=4),
    "clip": _transformers("CLIPModel", "CLIPConfig", lambda: {**_text(), **_image()}, text_config={**_SMALL, "max_position_embeddings": 64},
                          vision_config=_VISION, projection_dim=16),
    "sam": _transformers("SamModel", "SamConfig", lambda: {**_image(1, 64), "input_points": torch.tensor([[[[20.0, 30.0]]]])},
                         vision_config={**_VISION, "image_size": 64, "output_channels": 16, "window_size": 4, "num_pos_feats": 8, "mlp_dim": 64,
                                        "global_attn_indexes": [1]},
                         prompt_encoder_config={"hidden_size": 16, "image_size": 64, "patch_size": 8, "image_embedding_size": 8},
                         mask_decoder_config={"hidden_size": 16, "mlp_dim": 32, "num_attention_heads": 2, "iou_head_hidden_dim": 16}),
    "detr": _transformers("DetrForObjectDetection", "DetrConfig",
                          lambda: {**_image(2, 64), "pixel_mask": torch.ones(2, 64, 64, dtype=torch.long)},
                          **{k: v for k, v in _SEQ2SEQ.items() if k not in ("vocab_size", "max_position_embeddings")}, num_queries=6, num_labels=4,
                          use_timm_backbone=False, use_pretrained_backbone=False,
                          backbone_config={"model_type": "resnet", "embedding_size": 16, "hidden_sizes": [16, 16, 32, 32], "depths": [1, 1, 1, 1],
                                           "out_features": ["stage4"]}),
    "resnet18": _torchvision("resnet18", lambda: {"x": torch.rand(2, 3, 64, 64)}),
    "mobilenet-v3": _torchvision("mobilenet_v3_small", lambda: {"x": torch.rand(2, 3, 64, 64)}),
    "deeplab-v3": _torchvision("lraspp_mobilenet_v3_large", lambda: {"input": torch.rand(1, 3, 64, 64)}, "segmentation", weights_backbone=None),
    "raft": _torchvision("raft_small", lambda: {"image1": torch.rand(1, 3, 128, 128), "image2": torch.rand(1, 3, 128, 128)}, "optical_flow"),
    "faster-rcnn": _torchvision("fasterrcnn_mobilenet_v3_large_320_fpn", _pictures, "detection", **_DETECTION),
    "mask-rcnn": _torchvision("maskrcnn_resnet50_fpn", _pictures, "detection", **_DETECTION),
    "keypoint-rcnn": _torchvision("keypointrcnn_resnet50_fpn", _pictures, "detection", **_DETECTION),
    "retinanet": _torchvision("retinanet_resnet50_fpn", _pictures, "detection", **_DETECTION),
    "fcos": _torchvision("fcos_resnet50_fpn", _pictures, "detection", **_DETECTION),
    "ssdlite": _torchvision("ssdlite320_mobilenet_v3_large", _pictures, "detection", weights_backbone=None, num_classes=5),
}


class _Positional(torch.nn.Module):
    """Wraps the model: takes the values of `names` in order and returns only its tensors."""

    def __init__(self, model, names):
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *values):
        result = self.model(**dict(zip(self.names, values)))
        if hasattr(result, "to_tuple"):
            result = result.to_tuple()
        return [t for t in torch.utils._pytree.tree_leaves(result) if isinstance(t, torch.Tensor)]


def _said(error):
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0][:200] if lines else ''}"


def _judge(name, seconds, answers):
    import ersatz.torch

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    row = {"model": name}
    try:
        model, inputs = MODELS[name]()
        whole = _Positional(model, list(inputs)).eval()
        args = tuple(inputs.values())
        with torch.no_grad():
            eager = whole(*args)
            row["draws"] = any(not torch.equal(a, b) for a, b in zip(eager, whole(*args)) if a.numel() and not a.isnan().any())
    except Exception as e:
        answers.put({**row, "eager": _said(e)})
        return

    def compare(program):
        with torch.no_grad():
            got = program(*args)
        return len(got) == len(eager) and all(a.shape == b.shape and a.dtype == b.dtype and torch.allclose(a, b, 1e-3, 1e-4, equal_nan=True)
                                              for a, b in zip(eager, got))

    for what, export in (("plain", torch.export.export), ("draft", torch.export.draft_export)):
        begin = time.monotonic()
        try:
            with torch.no_grad():
                program = export(whole, args)
            row[what] = "equal" if compare(program.module()) else "differs"
        except Exception as e:
            row[what], row[f"{what}_error"] = "no", _said(e)
        row[f"{what}_s"] = round(time.monotonic() - begin, 1)
        torch._dynamo.reset()
        answers.put(dict(row))
    begin = time.monotonic()
    try:
        with torch.no_grad():
            report = ersatz.torch.export(whole, args, seconds=seconds)
        row["ersatz"] = ("exports" if not report.changes else f"exports with {len(report.changes)} changes") if report.exports else "no"
        row["tries"], row["reason"], row["closing"] = len(report.tries), report.reason, report.closing_line
        row["changes"] = [f"{c.kind} {c.line}: {c.code}" for c in report.changes]
        row["findings"] = [str(f) for f in report.findings]
    except Exception as e:
        row["ersatz"], row["ersatz_error"] = "failed", _said(e)
    row["ersatz_s"] = round(time.monotonic() - begin, 1)
    answers.put(row)


def _run(name, seconds):
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_judge, args=(name, seconds, answers), daemon=True)
    process.start()
    end, row = time.monotonic() + 4 * seconds + 120, {"model": name}
    while time.monotonic() < end:
        try:
            row = answers.get(timeout=1)
        except queue.Empty:
            if not process.is_alive():
                break
        if "ersatz_s" in row or "eager" in row:
            break
    process.kill()
    process.join()
    if "ersatz_s" not in row and "eager" not in row:
        row["ersatz"] = "ended without an answer"
    return row


def _text_of(row):
    if "eager" in row:
        return [row["model"], f"eager itself: {row['eager']}", "", "", ""]
    reason = "; ".join(filter(None, [row.get("plain_error", ""), row.get("reason", ""), row.get("ersatz_error", ""), *row.get("findings", [])]))
    return [row["model"], row.get("plain", "-"), row.get("draft", "-"), row.get("ersatz", "-"), reason.replace("|", "/")]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=sorted(MODELS), metavar="NAME", help="these models: " + ", ".join(MODELS))
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for the tries of ersatz.torch.export, each model (60)")
    parser.add_argument("-o", dest="output", metavar="FILE.jsonl", help="FILE for all results, a model a line; models in it are not run again")
    asked = parser.parse_args(arguments)
    known = {}
    if asked.output:
        with open(asked.output, "a+", encoding="utf-8") as file:
            file.seek(0)
            known = {row["model"]: row for row in map(json.loads, file)}
    print("| model | torch.export | draft_export | ersatz.torch.export | reason |\n|---|---|---|---|---|")
    for name in asked.only or MODELS:
        row = known.get(name) or _run(name, asked.seconds)
        if asked.output and name not in known:
            with open(asked.output, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        print("| " + " | ".join(_text_of(row)) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
