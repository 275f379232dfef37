#include "fake/object/capabilities.h"

namespace ersatz {

Capabilities capabilities(const Tensor& t) {
  Capabilities c;
  c.backend = t.device().type;
  c.tracks_views = c.autograd = !t.meta().inference;
  c.autocast = !t.device().is_meta();
  return c;
}

std::string to_string(const Capabilities& c) {
  constexpr std::string_view names[kDeviceTypeCount] = {"CPU", "CUDA", "Meta"};
  const std::string_view backend = names[static_cast<int>(c.backend)];
  std::string text(backend);
  if (c.tracks_views) text += ", ADInplaceOrView";
  if (c.autograd) text += fmt::format(", Autograd{}", backend);
  if (c.autocast) text += fmt::format(", Autocast{}", backend);
  return text;
}

}  // namespace ersatz
