// The tags that input and output kinds have in the signature of the graph JSON. User inputs, constant inputs and user
// outputs have no tag here.
#pragma once

#include <string_view>

#include "tracer/program/graph.h"

namespace ersatz::pt2_json {

struct InputTag {
  std::string_view tag;
  InputKind kind;
  std::string_view target;  ///< key that has the qualified name; empty: there is none
};
/// A non-persistent buffer has the tag `buffer`, with `persistent` false.
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
