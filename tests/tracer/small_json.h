// The smallest exported program, with parts that tests replace by wrong ones.
#pragma once

#include <string>

namespace ersatz {

struct SmallJson {
  std::string major = "8";
  std::string node_input = R"({"as_tensor": {"name": "x"}})";
  std::string more_inputs;
  std::string result = "y";
  std::string size = R"({"as_int": 2})";  ///< size of y, whose stride is 2
  std::string target = "torch.ops.aten.relu.default";
  std::string more_graph_inputs, more_input_specs;  ///< inserted after x

  std::string text() const {
    const std::string meta_head = R"({"dtype": 7, "requires_grad": false, "device": {"type": "cpu", "index": null}, )"
                                  R"("layout": 7, "storage_offset": {"as_int": 0}, )";
    return R"({"graph_module": {"graph": {"inputs": [{"as_tensor": {"name": "x"}})" + more_graph_inputs +
           R"(], )"
           R"("outputs": [{"as_tensor": {"name": ")" +
           result + R"("}}], "nodes": [{"target": ")" + target + R"(", "inputs": [{"name": "self", "arg": )" +
           node_input + R"(, "kind": 1})" + more_inputs + R"(], "outputs": [{"as_tensor": {"name": ")" + result +
           R"("}}], "metadata": {}}], "tensor_values": {"x": )" + meta_head +
           R"("sizes": [{"as_int": 2}], "strides": [{"as_int": 1}]}, "y": )" + meta_head + R"("sizes": [)" + size +
           R"(], "strides": [{"as_int": 2}]}}, "sym_int_values": {}, "sym_bool_values": {}}, )"
           R"("signature": {"input_specs": [{"user_input": {"arg": {"as_tensor": {"name": "x"}}}})" +
           more_input_specs +
           R"(], )"
           R"("output_specs": [{"user_output": {"arg": {"as_tensor": {"name": ")" +
           result + R"("}}}}]}}, "range_constraints": {}, "schema_version": {"major": )" + major + R"(, "minor": 20}})";
  }
};

}  // namespace ersatz
