#include "tracer/run/run_inputs.h"

#include <cstring>
#include <map>

#include "runtime/tensor/meta_text.h"
#include "tracer/tensors/synthetic.h"

namespace ersatz {

namespace {

std::string_view input_name(const Program& p, const GraphInput& in) { return p.name(p.main().values[in.value].name); }

/// Returns the value of an input that is a number: its record, evaluated. Objects and None are returned as they are
/// recorded.
Value number_input(const Program& p, const GraphInput& in, const SymbolValues& symbols, bool symbolic = false) {
  const GraphValue& v = p.main().values[in.value];
  if (v.record == kNone) return Value();
  const Value& record = p.literals[v.record];
  if (!record.is_symbolic_int() || symbolic) return record;
  const auto n = symbols.evaluate(record.as_int());
  if (!n) fail_argument("input %{}: {} has no value", input_name(p, in), record.as_int());
  return Value(*n);
}

const TensorMeta& recorded_meta(const Program& p, const GraphInput& in) {
  const TensorMeta* recorded = p.meta(p.main().values[in.value]);
  if (!recorded) fail_argument("input %{}: is a tensor without metadata", input_name(p, in));
  return *recorded;
}

TensorMeta concrete_meta(const Program& p, const GraphInput& in, const SymbolValues& symbols) {
  const TensorMeta& recorded = recorded_meta(p, in);
  auto meta = symbols.concrete(recorded);
  if (!meta) fail_argument("input %{}: a size of {} has no value", input_name(p, in), recorded);
  return std::move(*meta);
}

void check_given(const Program& p, const GraphInput& in, const SymbolValues& symbols, const TensorMeta& given) {
  const TensorMeta wanted = concrete_meta(p, in, symbols);
  if (given.dtype != wanted.dtype || !sym_eq(given.sizes, wanted.sizes)) {
    fail_argument("input %{}: {} is given, the program takes {}", input_name(p, in), given, wanted);
  }
}

const StoredValue* given_for(const Program& p, const GraphInput& in, const InputChoice& choice) {
  return choice.given ? InputsOutputs::find(choice.given->inputs, input_name(p, in)) : nullptr;
}

Value made_input(const Program& p, const GraphInput& in, const SymbolValues& symbols, const InputChoice& choice) {
  TensorMeta meta = concrete_meta(p, in, symbols);
  meta.device = kCPU;
  Tensor t = make_real_tensor(meta);
  const int64_t bytes = t.storage()->nbytes().as_int();
  if (bytes) std::memset(t.storage()->data(), 0, static_cast<size_t>(bytes));
  if (choice.fill == InputChoice::Fill::Random) {
    fill_synthetic(t, input_name(p, in), choice.seed, SyntheticRole::Input);
  } else if (choice.fill == InputChoice::Fill::Ones) {
    fill_synthetic(t, input_name(p, in), choice.seed, SyntheticRole::Ones);
  }
  return t;
}

}  // namespace

bool is_tensor_input(const Program& program, const GraphInput& input) {
  return program.main().values[input.value].kind == ValueKind::Tensor;
}

TensorMeta input_meta(const Program& program, const GraphInput& input, const SymbolValues& symbols,
                      const InputChoice& choice) {
  TensorMeta meta = choice.symbolic ? recorded_meta(program, input) : concrete_meta(program, input, symbols);
  const Device device = choice.device.value_or(meta.device);
  const StoredValue* given = given_for(program, input, choice);
  if (given && given->meta) {
    check_given(program, input, symbols, *given->meta);
    meta = *given->meta;
  } else if (input.stored != kNone) {
    meta = program.weights.tensors()[input.stored].meta;
  }
  meta.device = device;
  return meta;
}

void observe_inputs(const Program& program, const InputsOutputs& given, SymbolValues& symbols) {
  for (const GraphInput& in : program.main().inputs) {
    const StoredValue* row = InputsOutputs::find(given.inputs, input_name(program, in));
    if (!row) continue;
    const GraphValue& v = program.main().values[in.value];
    if (const TensorMeta* recorded = program.meta(v); recorded && row->meta) {
      symbols.observe(*recorded, *row->meta);
    } else if (row->number && row->number->kind() == Value::Kind::Int && v.record != kNone &&
               program.literals[v.record].is_symbolic_int()) {
      symbols.observe(program.literals[v.record].as_int(), row->number->as_int64());
    }
  }
}

std::vector<Value> make_inputs(const Program& program, const SymbolValues& symbols, const InputChoice& choice) {
  std::vector<Value> inputs;
  for (const GraphInput& in : program.main().inputs) {
    if (const StoredValue* given = given_for(program, in, choice)) {
      if (given->meta) check_given(program, in, symbols, *given->meta);
      inputs.push_back(choice.given->value(*given));
    } else if (in.stored != kNone) {
      inputs.push_back(program.weights.tensor(in.stored));
    } else if (is_tensor_input(program, in)) {
      inputs.push_back(made_input(program, in, symbols, choice));
    } else {
      inputs.push_back(number_input(program, in, symbols));
    }
  }
  return inputs;
}

std::vector<Value> make_fake_inputs(const Program& program, const FakeMode& mode, const SymbolValues& symbols,
                                    const InputChoice& choice) {
  std::vector<Value> inputs;
  std::map<std::pair<uint32_t, Device>, Ref<Storage>,
           bool (*)(const std::pair<uint32_t, Device>&, const std::pair<uint32_t, Device>&)>
      storages([](const auto& a, const auto& b) {
        auto key = [](const auto& x) { return std::tuple(x.first, x.second.type, x.second.index); };
        return key(a) < key(b);
      });
  for (const GraphInput& in : program.main().inputs) {
    if (!is_tensor_input(program, in)) {
      inputs.push_back(number_input(program, in, symbols, choice.symbolic));
      continue;
    }
    TensorMeta meta = input_meta(program, in, symbols, choice);
    if (in.stored == kNone || given_for(program, in, choice)) {
      inputs.push_back(mode.make(std::move(meta)));
      continue;
    }
    const uint32_t payload = program.weights.tensors()[in.stored].payload;
    Ref<Storage>& storage = storages[{payload, meta.device}];
    if (!storage) storage = Storage::make_fake(program.weights.payloads()[payload].nbytes, meta.device);
    inputs.push_back(mode.make_on(storage, std::move(meta)));
  }
  return inputs;
}

}  // namespace ersatz
