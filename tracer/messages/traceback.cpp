#include "tracer/messages/traceback.h"

#include <algorithm>
#include <optional>

#include "tracer/messages/python_text.h"

namespace ersatz {

namespace {

/// Packages that count as libraries. A model in another package (transformers, timm) counts as user code.
constexpr std::string_view kPackages[] = {"torch",      "functorch", "torchgen", "sympy",     "numpy",
                                          "onnxscript", "pytest",    "_pytest",  "pluggy",    "unittest",
                                          "accelerate", "lightning", "IPython",  "ipykernel", "traitlets",
                                          "tornado",    "click",     "fire",     "ray",       "multiprocess"};
constexpr std::string_view kParts[] = {"_compile",    "_dynamo",           "_export",
                                       "_functorch",  "_higher_order_ops", "_inductor",
                                       "_library",    "_logging",          "_ops",
                                       "_prims",      "_prims_common",     "_refs",
                                       "_subclasses", "_tensor",           "_utils_internal",
                                       "__init__",    "autograd",          "distributed",
                                       "export",      "functional",        "fx",
                                       "jit",         "library",           "nn",
                                       "onnx",        "testing",           "utils"};

/// Returns the line after a frame's line, trimmed. Empty if that line is another frame or has only carets.
std::string code_below(const std::vector<std::string>& lines, size_t at) {
  if (at + 1 >= lines.size()) return {};
  const std::string_view code = trimmed(lines[at + 1]);
  const bool frame = code.starts_with("File ") || code.starts_with("Traceback ");
  if (frame || code.find_first_not_of("^~ ") == code.npos) return {};
  return std::string(code);
}

/// Removes the colon that draft_export appends to a source line. A statement that itself ends in a colon keeps it.
std::string without_colon(std::string code) {
  for (const std::string_view word :
       {"if ", "elif ", "else", "for ", "while ", "with ", "def ", "try", "match ", "case "}) {
    if (code.starts_with(word)) return code;
  }
  if (code.ends_with(':')) code.pop_back();
  return code;
}

/// Parses `LINE, in FUNCTION`.
bool place(std::string_view text, Frame& frame) {
  size_t taken = 0;
  const std::optional<int64_t> line = leading_integer(text, taken);
  if (!line) return false;
  frame.line = *line;
  if (const auto function = behind(text, ", in ")) frame.function = std::string(trimmed(*function));
  return true;
}

std::optional<Frame> quoted_frame(std::string_view line) {
  const auto rest = behind(line, "File \"");
  if (!rest) return std::nullopt;
  Frame frame;
  const size_t end = rest->find('"');
  if (end == rest->npos) return std::nullopt;
  frame.file = std::string(rest->substr(0, end));
  const auto number = behind(rest->substr(end), "\", line ");
  if (!number || !place(*number, frame)) return std::nullopt;
  // In a graph, a comment has the form `# File "model.py", line 11, in forward, code: if y.sum() > 0:`.
  if (const auto code = behind(frame.function, ", code: ")) {
    frame.code = std::string(*code);
    frame.function.resize(frame.function.find(", code: "));
  }
  return frame;
}

std::optional<Frame> draft_frame(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("File ")) return std::nullopt;
  const size_t end = line.find(", lineno ");
  if (end == line.npos) return std::nullopt;
  Frame frame;
  frame.file = std::string(line.substr(5, end - 5));
  if (!place(line.substr(end + 9), frame)) return std::nullopt;
  return frame;
}

/// Parses `CODE  # FILE:LINE in FUNCTION (...)` or `(FILE:LINE in FUNCTION)`.
std::optional<Frame> cause(std::string_view line) {
  const auto said = behind(line, "Caused by: ");
  if (!said) return std::nullopt;
  Frame frame;
  std::string_view where = *said;
  if (where.starts_with('(')) {
    where.remove_prefix(1);
    where = where.substr(0, where.rfind(')'));
  } else {
    const size_t hash = where.rfind("  # ");
    if (hash == where.npos) return std::nullopt;
    frame.code = std::string(trimmed(where.substr(0, hash)));
    where.remove_prefix(hash + 4);
    where = where.substr(0, where.find(" ("));
  }
  const size_t in = where.rfind(" in ");
  if (in == where.npos) return std::nullopt;
  frame.function = std::string(where.substr(in + 4));
  where = where.substr(0, in);
  const size_t colon = where.rfind(':');
  if (colon == where.npos) return std::nullopt;
  const auto number = integer_in(where.substr(colon + 1));
  if (!number) return std::nullopt;
  frame.line = *number;
  frame.file = std::string(where.substr(0, colon));
  return frame;
}

}  // namespace

std::vector<Frame> frames_of(const std::vector<std::string>& lines) {
  std::vector<Frame> frames;
  for (size_t at = 0; at < lines.size(); ++at) {
    std::optional<Frame> frame = quoted_frame(lines[at]);
    const bool below = frame.has_value();
    if (!frame) frame = draft_frame(lines[at]);
    if (!frame) frame = cause(lines[at]);
    if (!frame) continue;
    frame->at = at;
    std::replace(frame->file.begin(), frame->file.end(), '\\', '/');  // paths of Windows
    if (frame->code.empty() && below) frame->code = code_below(lines, at);
    if (frame->code.empty() && lines[at].find(", lineno ") != std::string::npos)
      frame->code = without_colon(code_below(lines, at));
    frames.push_back(std::move(*frame));
  }
  return frames;
}

bool is_library(const Frame& frame) {
  const std::string_view file = frame.file;
  // "Caused by" lines shorten the paths of PyTorch's own files to the part after torch/: `_export/non_strict_utils.py`.
  if (file.starts_with('<') || (file.starts_with('_') && file.find('/') != file.npos)) return true;
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const auto package = behind(file, folder);
    if (!package) continue;
    const std::string_view name = leading_word(*package);
    return std::find(std::begin(kPackages), std::end(kPackages), name) != std::end(kPackages);
  }
  if (file.find("/lib/python3") != file.npos) return true;
  // The path may be in a source checkout of PyTorch.
  const std::string_view inside = file.starts_with("torch/") ? file.substr(6) : behind(file, "/torch/").value_or("");
  const std::string_view part = leading_word(inside);
  return std::find(std::begin(kParts), std::end(kParts), part) != std::end(kParts);
}

bool is_generated(const Frame& frame) {
  for (const std::string_view call : {"assert_size_stride", "assert_tensor_metadata", "assert_alignment"}) {
    if (!is_library(frame) && frame.function == "call" && frame.code.starts_with(call)) return true;
  }
  return frame.file.find("torchinductor_") != std::string::npos ||
         frame.file.find("/inductor_cache/") != std::string::npos;
}

}  // namespace ersatz
