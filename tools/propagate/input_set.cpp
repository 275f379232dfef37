#include "tools/propagate/input_set.h"

#include <charconv>
#include <filesystem>

#include "runtime/base/error.h"
#include "tracer/archive/input_file.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/pt2/sample_inputs.h"
#include "tracer/tensors/npy.h"
#include "tracer/tensors/safetensors.h"

namespace ersatz::tools {

namespace {

struct NamedPart {
  std::string name, what;  // the two sides of `x=a.npy`
};

/// Splits `x=a.npy,y=b.npy` at each comma that precedes a name and `=`. Other commas belong to file names.
std::vector<NamedPart> named_parts(const std::string& text) {
  std::vector<NamedPart> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string piece = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t equals = piece.find('=');
    if (equals != piece.npos && equals > 0 && piece.find('/') > equals) {
      parts.push_back({piece.substr(0, equals), piece.substr(equals + 1)});
    } else if (parts.empty()) {
      return {};
    } else {
      parts.back().what += "," + piece;
    }
  }
  return parts;
}

class ArraySet {
 public:
  explicit ArraySet(const Program& program) : program_(program) {}

  void add(const std::string& name, Value value, const std::string& from) {
    const GraphInput* input = find(name);
    if (!input) fail_argument("{}: the program takes no input '{}': it takes {}", from, name, names());
    if (InputsOutputs::find(given_.inputs, name)) fail_argument("{}: input %{} is given twice", from, name);
    if (!is_tensor_input(program_, *input)) {
      value = number_of(value, name, from);
    } else if (!value.is_tensor()) {
      fail_argument("{}: input %{} is a tensor: give it as {}=FILE.npy", from, name, name);
    }
    given_.add_input(name, std::move(value));
  }
  /// Assigns tensors and numbers to the program's user inputs, in order. Returns false if their number is wrong.
  bool take_in_order(const std::vector<Value>& leaves) {
    size_t at = 0;
    for (const GraphInput& in : program_.main().inputs) {
      if (in.kind != InputKind::UserInput) continue;
      while (at < leaves.size() && leaves[at].is_tensor() != is_tensor_input(program_, in))
        ++at;  // the export fixed this number, so its value is skipped
      if (at == leaves.size()) return false;
      add(std::string(name_of(in)), leaves[at++], "sample inputs");
    }
    return true;
  }
  /// Returns the name of the program's only tensor input. RAISES if there are several.
  std::string only_input(const std::string& file) const {
    std::string only;
    for (const GraphInput& in : program_.main().inputs) {
      if (in.kind != InputKind::UserInput || !is_tensor_input(program_, in)) continue;
      if (!only.empty()) fail_argument("{}: the program takes {}: write NAME={}", file, names(), file);
      only = name_of(in);
    }
    if (only.empty()) fail_argument("{}: the program takes no tensor", file);
    return only;
  }
  /// Lists the user inputs that have no value.
  std::string missing() const {
    std::string list;
    for (const GraphInput& in : program_.main().inputs) {
      if (in.kind != InputKind::UserInput || InputsOutputs::find(given_.inputs, name_of(in))) continue;
      list += (list.empty() ? "" : ", ") + std::string(name_of(in));
    }
    return list;
  }
  std::shared_ptr<const InputsOutputs> take() { return std::make_shared<InputsOutputs>(std::move(given_)); }

 private:
  std::string_view name_of(const GraphInput& in) const { return program_.name(program_.main().values[in.value].name); }
  const GraphInput* find(std::string_view name) const {
    for (const GraphInput& in : program_.main().inputs) {
      if (name_of(in) == name) return &in;
    }
    return nullptr;
  }
  std::string names() const {
    std::string list;
    for (const GraphInput& in : program_.main().inputs) {
      if (in.kind == InputKind::UserInput) list += (list.empty() ? "" : ", ") + std::string(name_of(in));
    }
    return list.empty() ? "none" : list;
  }
  static Value number_of(const Value& value, const std::string& name, const std::string& from) {
    if (!value.is_tensor()) return value;
    const Tensor& t = value.tensor();
    if (t.numel().as_int() != 1) fail_argument("{}: input %{} is a number, {} is given", from, name, t.meta());
    if (t.dtype() == DType::Bool) return Value(t.item_int() != 0);
    if (is_float(t.dtype())) return Value(t.item_double());
    return Value(t.item_int());
  }

  const Program& program_;
  InputsOutputs given_;
};

std::optional<Value> parse_number(const std::string& text) {
  const char* const end = text.data() + text.size();
  int64_t n = 0;
  if (const auto [to, error] = std::from_chars(text.data(), end, n); error == std::errc() && to == end) {
    return Value(n);
  }
  double x = 0;
  if (const auto [to, error] = std::from_chars(text.data(), end, x); error == std::errc() && to == end) {
    return Value(x);
  }
  if (text == "True" || text == "true") return Value(true);
  if (text == "False" || text == "false") return Value(false);
  return std::nullopt;
}

InputSet finished(ArraySet& arrays, const std::string& text, uint64_t seed) {
  InputSet set;
  set.note = "inputs: " + text;
  if (const std::string missing = arrays.missing(); !missing.empty()) {
    set.note += fmt::format("; made up (random, seed {}): {}", seed, missing);
    set.synthetic = true;
  }
  set.given = arrays.take();
  set.choice.given = set.given.get();
  set.choice.seed = seed;
  return set;
}

InputSet synthetic_set(const std::string& fill, uint64_t seed) {
  InputSet set;
  set.note = fmt::format("inputs: made up ({}, seed {})", fill, seed);
  set.choice.seed = seed;
  set.choice.fill = fill == "zeros"  ? InputChoice::Fill::Zeros
                    : fill == "ones" ? InputChoice::Fill::Ones
                                     : InputChoice::Fill::Random;
  return set;
}

/// RAISES an error that names `from` if the values do not fit the program. It is called before anything runs.
void require_fit(const Program& program, const InputSet& set, const std::string& from) {
  if (!set.given) return;
  SymbolValues symbols(program);
  observe_inputs(program, *set.given, symbols);
  for (const GraphInput& in : program.main().inputs) {
    if (!is_tensor_input(program, in)) continue;
    try {
      input_meta(program, in, symbols, set.choice);
    } catch (Error& e) {
      if (!from.empty()) e.message = from + ": " + e.message;
      throw;
    }
  }
}

/// Returns the sample inputs in the archive. If it has none that fit the program, returns synthetic inputs and a note
/// with the reason.
InputSet sample_or_synthetic(const ProgramInput& input, uint64_t own_seed) {
  std::string why;
  std::error_code ignored;
  try {
    std::vector<Value> leaves;
    if (std::filesystem::is_regular_file(input.path, ignored) && read_head(input.path, 2) == "PK") {
      leaves = load_sample_inputs(*ZipArchive::open(input.path));
    }
    ArraySet arrays(input.program);
    if (!leaves.empty() && arrays.take_in_order(leaves)) {
      InputSet set = finished(arrays, "sample inputs of the archive", own_seed);
      require_fit(input.program, set, input.path + ": sample inputs");
      return set;
    }
    if (!leaves.empty()) why = "its sample inputs are not the program's";
  } catch (const Error& e) {
    why = e.message;
  }
  InputSet set = synthetic_set("random", own_seed);
  if (!why.empty()) set.note += "; sample inputs were not read: " + why;
  set.synthetic = true;
  return set;
}

InputSet read_values(const ProgramInput& input, const std::string& text, uint64_t own_seed) {
  if (text == "zeros" || text == "ones" || text == "random") return synthetic_set(text, own_seed);
  if (text == "made-up") return synthetic_set("random", own_seed);
  if (text.empty() && input.values.empty()) return sample_or_synthetic(input, own_seed);
  ArraySet arrays(input.program);
  std::error_code ignored;
  const std::vector<NamedPart> parts =
      std::filesystem::exists(text, ignored) ? std::vector<NamedPart>() : named_parts(text);
  if (!parts.empty()) {
    for (const NamedPart& part : parts) {
      if (part.what.empty()) fail_argument("--inputs {}=: a .npy file or a number is missing behind it", part.name);
      const std::optional<Value> n = parse_number(part.what);
      arrays.add(part.name, n ? *n : Value(parse_npy(read_file(part.what), part.what)), n ? "--inputs" : part.what);
    }
    return finished(arrays, text, own_seed);
  }
  const std::string file = text.empty() ? input.values : text;
  const std::string bytes = read_file(file);
  if (looks_like_npy(bytes)) {
    arrays.add(arrays.only_input(file), Value(parse_npy(bytes, file)), file);
    return finished(arrays, file, own_seed);
  }
  if (bytes.starts_with("PK")) {
    for (const auto& [name, array] : load_npz(file)) arrays.add(name, Value(array), file);
    return finished(arrays, file, own_seed);
  }
  if (looks_like_safetensors(bytes, bytes.size())) {
    for (const auto& [name, tensor] : parse_safetensors(bytes, file)) arrays.add(name, Value(tensor), file);
    return finished(arrays, file, own_seed);
  }
  if (const size_t first = bytes.find_first_not_of(" \t\r\n"); first == bytes.npos || bytes[first] != '{') {
    fail_argument(
        "{}: no file of inputs: neither an array (.npy), nor an archive of some (.npz), nor tensors (.safetensors), "
        "nor an inputs_outputs.json",
        file);
  }
  InputSet set;
  std::vector<std::string> notes;
  std::optional<InputsOutputs> values = load_values(input, file, "inputs", !text.empty(), notes);
  if (!values) {  // the file was found next to the program and does not fit
    set = synthetic_set("random", own_seed);
    set.note += "; " + notes[0];
    set.synthetic = true;
    return set;
  }
  set.note = notes[0];
  set.given = std::make_shared<InputsOutputs>(std::move(*values));
  set.choice.given = set.given.get();
  set.choice.seed = own_seed;
  return set;
}

}  // namespace

InputSet read_input_set(const ProgramInput& input, const std::string& text, uint64_t seed, size_t number) {
  InputSet set = read_values(input, text, seed + number);
  require_fit(input.program, set, text);
  return set;
}

}  // namespace ersatz::tools
