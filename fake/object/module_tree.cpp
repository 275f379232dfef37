#include "fake/object/module_tree.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "fake/mode/fake_mode.h"
#include "fake/object/fake_copy_mode.h"
#include "fake/object/parameter.h"
#include "runtime/base/source_line.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {

/// One deep copy, with maps from originals to their copies.
class Copying {
 public:
  Copying() : fake_copy_(active_fake_copy()), in_fake_mode_(active_mode(ModeOrder::Fake) != nullptr) {}

  std::shared_ptr<Module> copy(const std::shared_ptr<Module>& from) {
    if (!from) return nullptr;
    if (auto found = modules_.find(from.get()); found != modules_.end()) return found->second;
    auto to = std::make_shared<Module>();
    modules_.emplace(from.get(), to);  // stored before the children are copied, because a descendant may contain this
                                       // module again
    to->type = from->type;
    for (const auto& [name, t] : from->parameters) to->parameters.emplace_back(name, copy(t));
    for (const auto& [name, t] : from->buffers) to->buffers.emplace_back(name, copy(t));
    for (const auto& [name, child] : from->children) to->children.emplace_back(name, copy(child));
    return to;
  }

  Tensor copy(const Tensor& from) {
    if (!from) return {};
    Tensor& to = tensors_[from.impl()];
    if (to) return to;
    to = fake_copy_ ? fake_copy_->fake_of(from) : copy_alike(from);
    if (is_parameter(from)) mark_parameter(to);
    return to;
  }

 private:
  Tensor copy_alike(const Tensor& from) {
    if (!from.is_fake() && in_fake_mode_) {
      Error e(
          ErrorKind::InvalidArgument, ErrorFamily::Runtime,
          fmt::format("deep_copy: Please convert all Tensors to fake tensors first (from_tensor): a real tensor cannot "
                      "be copied in a fake scope: {}",
                      from.meta()));
      e.arguments = {to_string(from.meta())};
      e.source = current_source_line();
      e.suggestion = "copy it in a FakeCopyScope to get a fake, or under SuspendModes to get a real tensor";
      throw e;
    }
    const Ref<Storage>& storage = storage_of(from.storage());
    return Tensor(make_ref<TensorImpl>(TensorMeta(from.meta()), storage, Ref<FakeOwner>(from.impl()->fake_mode)));
  }

  const Ref<Storage>& storage_of(const Ref<Storage>& from) {
    Ref<Storage>& to = storages_[from.get()];
    if (to) return to;
    if (!from->has_bytes()) return to = Storage::make_fake(from->nbytes(), from->device());
    const int64_t nbytes = from->nbytes().as_int();
    to = Storage::allocate(nbytes, from->device());
    copy_bytes(to->data(), to->device(), from->data(), from->device(), nbytes);
    return to;
  }

  FakeCopyMode* fake_copy_;
  bool in_fake_mode_;
  std::unordered_map<const Module*, std::shared_ptr<Module>> modules_;
  std::unordered_map<const TensorImpl*, Tensor> tensors_;
  std::unordered_map<const Storage*, Ref<Storage>> storages_;
};

template <class T>
const T* find_named(const std::vector<std::pair<std::string, T>>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == name; });
  return found == list.end() ? nullptr : &found->second;
}

}  // namespace

Tensor Module::find(std::string_view name) const {
  if (const size_t dot = name.find('.'); dot != name.npos) {
    const auto* child = find_named(children, name.substr(0, dot));
    return child && *child ? (*child)->find(name.substr(dot + 1)) : Tensor();
  }
  const Tensor* t = find_named(parameters, name);
  if (!t) t = find_named(buffers, name);
  return t ? *t : Tensor();
}

namespace {
void visit(const Module& module, const std::string& prefix, std::unordered_set<const Module*>& seen,
           const std::function<void(const std::string&, const Tensor&, bool)>& see) {
  if (!seen.insert(&module).second) return;
  for (const auto& [name, t] : module.parameters) {
    if (t) see(prefix + name, t, true);
  }
  for (const auto& [name, t] : module.buffers) {
    if (t) see(prefix + name, t, false);
  }
  for (const auto& [name, child] : module.children) {
    if (child) visit(*child, prefix + name + ".", seen, see);
  }
}
}  // namespace

void visit_tensors(const Module& module, const std::function<void(const std::string&, const Tensor&, bool)>& see) {
  std::unordered_set<const Module*> seen;
  visit(module, "", seen, see);
}

void require_no_fakes(const Module& module) {
  visit_tensors(module, [](const std::string& name, const Tensor& t, bool is_parameter) {
    if (!t.is_fake()) return;
    const std::string stack = creation_stack(t);
    fail_argument("Unexpected fake {} {}, {}", is_parameter ? "param" : "buffer", name,
                  stack.empty() ? "made where nobody kept stacks: FakeOptions::keep_stacks makes its mode say where"
                                : "made here:\n" + stack);
  });
}

std::shared_ptr<Module> deep_copy(const std::shared_ptr<Module>& module) { return Copying().copy(module); }
Tensor deep_copy(const Tensor& tensor) { return Copying().copy(tensor); }

}  // namespace ersatz
