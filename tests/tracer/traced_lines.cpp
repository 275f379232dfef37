#include "tests/tracer/traced_lines.h"

#include "tracer/run/interpreter.h"
#include "tracer/text/text_form.h"

namespace ersatz {

std::vector<std::string> nodes_of(const Program& p, const Graph& g) {
  std::vector<std::string> lines;
  for (NodeId i = 0; i < g.nodes.size(); ++i) {
    std::string line = print_node(p, g, i);
    for (size_t at;
         (at = line.find(": ")) != line.npos;) {  // recorded metadata ends at the next comma, equals sign or bracket
      size_t end = at;
      for (int depth = 0; end < line.size(); ++end) {
        if (line[end] == '[' || line[end] == '{' || line[end] == '(') ++depth;
        if (line[end] == ']' || line[end] == '}' || line[end] == ')') --depth;
        if (depth < 0 || (depth == 0 && (line.compare(end, 2, ", ") == 0 || line.compare(end, 3, " = ") == 0))) break;
      }
      line.erase(at, end - at);
    }
    lines.push_back(line);
  }
  return lines;
}

Tensor floats(std::initializer_list<float> v) { return tensor_of<float>(v, {static_cast<int64_t>(v.size())}); }

std::vector<float> values(const Value& v) {
  const Tensor t = v.tensor();
  return {t.data<float>(), t.data<float>() + t.numel().as_int()};
}

std::vector<Value> run(const Program& p, std::vector<Value> given) {
  const PreparedProgram prepared(p);
  std::vector<Value> inputs;
  size_t at = 0;
  for (const GraphInput& in : p.main().inputs)
    inputs.push_back(in.stored != kNone ? Value(p.weights.tensor(in.stored)) : given.at(at++));
  return Interpreter(prepared).run(inputs);
}

TraceOptions in_mode(TraceMode mode) {
  TraceOptions o;
  o.mode = mode;
  return o;
}

}  // namespace ersatz
