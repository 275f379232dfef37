// The tags of input and output kinds in the graph JSON's signature. A kind without a tag here is a user input, a
// constant input or a user output.
#pragma once

#include <string_view>

#include "tracer/program/graph.h"

namespace ersatz::pt2_json {

struct InputTag {
  std::string_view tag;
  InputKind kind;
  std::string_view target;  ///< key of the qualified name; empty: it has none
};
/// A non-persistent buffer has the tag of a buffer, with `persistent` false.
inline constexpr InputTag kInputTags[] = {{"parameter", InputKind::Parameter, "parameter_name"},
                                          {"buffer", InputKind::Buffer, "buffer_name"},
                                          {"buffer", InputKind::LooseBuffer, "buffer_name"},
                                          {"tensor_constant", InputKind::TensorConstant, "tensor_constant_name"},
                                          {"custom_obj", InputKind::CustomObject, "custom_obj_name"},
                                          {"token", InputKind::Token, ""}};

struct OutputTag {
  std::string_view tag;
  OutputKind kind;
  std::string_view target;
};
inline constexpr OutputTag kOutputTags[] = {
    {"user_output", OutputKind::UserOutput, ""},
    {"loss_output", OutputKind::Loss, ""},
    {"buffer_mutation", OutputKind::BufferMutation, "buffer_name"},
    {"parameter_mutation", OutputKind::ParameterMutation, "parameter_name"},
    {"user_input_mutation", OutputKind::UserInputMutation, "user_input_name"},
    {"gradient_to_parameter", OutputKind::GradientToParameter, "parameter_name"},
    {"gradient_to_user_input", OutputKind::GradientToUserInput, "user_input_name"},
    {"token", OutputKind::Token, ""}};

}  // namespace ersatz::pt2_json
