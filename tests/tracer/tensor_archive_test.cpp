// Saving and loading named tensors: the restored tensors, and files that are refused.
#include "tracer/tensors/tensor_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "fake/mode/fake_mode.h"
#include "fake/object/parameter.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/meta_text.h"
#include "tests/tracer/program_paths.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/archive/zip_writer.h"
#include "tracer/pt2/program_file.h"
#include "tracer/pt2/program_weights.h"
#include "tracer/tensors/tensor_index.h"
#include "tracer/trace/trace.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const LoadTensorsOptions kToCpu{kCPU};

/// A test with an empty folder, which is removed afterwards.
class TensorArchive : public testing::Test {
 protected:
  TensorArchive() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("ersatz_{}_{}", test->name(), ::getpid());
    std::filesystem::create_directories(folder_);
  }
  ~TensorArchive() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name = "t.ersatz") const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

/// Returns the parameters of Linear 5 -> 10.
NamedTensors linear() {
  TensorMeta weight = parse_meta("f32[10,5]"), bias = parse_meta("f32[10]");
  NamedTensors t{{"weight", Parameter(make_real_tensor(weight))}, {"bias", Parameter(make_real_tensor(bias))}};
  for (const auto& [name, tensor] : t) {
    for (int64_t i = 0; i < tensor.numel().as_int(); ++i) tensor.data<float>()[i] = float(i) / 2;
  }
  return t;
}

/// Writes an archive `to` with the index of the archive `of`, but without the bytes of its tensors.
void write_without_bytes(const std::string& of, const std::string& to) {
  const std::string index = ZipArchive::open(of)->read(*ZipArchive::open(of)->find(kTensorIndexEntry));
  ZipWriter zip(to);
  zip.add(kTensorIndexEntry, std::as_bytes(std::span(index)));
  zip.finish();
}

Error error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  return Error(ErrorKind::InternalError, ErrorFamily::Runtime, "nothing was raised");
}

TEST_F(TensorArchive, RealTensorsComeBackWithSharingAndFlags) {
  const Tensor a = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  TensorMeta turned = parse_meta("f32[2,2]{1,3}+1");
  const Tensor view = make_view(a, turned);
  const Tensor conj(parse_meta("c64[1] conj"), tensor_of<std::complex<float>>({{1, 2}}, {1}).storage());
  const Tensor empty = make_real_tensor(parse_meta("i64[0,3]"));
  save_tensors(path(), {{"a", a}, {"again", a}, {"view", view}, {"p", Parameter(a)}, {"conj", conj}, {"empty", empty}});
  NamedTensors t = load_tensors(path());
  ASSERT_EQ(t.size(), 6u);
  EXPECT_EQ(to_string(t["a"]), "Tensor(f32[2,3]@cpu, [[1, 2, 3], [4, 5, 6]])");
  EXPECT_TRUE(t["a"].is(t["again"]));
  EXPECT_EQ(to_string(t["view"].meta()), "f32[2,2]{1,3}+1@cpu");
  EXPECT_TRUE(t["view"].shares_storage(t["a"]) && t["p"].shares_storage(t["a"]));
  EXPECT_FALSE(t["a"].shares_storage(a));
  EXPECT_TRUE(is_parameter(t["p"]) && t["p"].meta().requires_grad);
  EXPECT_FALSE(is_parameter(t["a"]) || t["a"].meta().requires_grad);
  EXPECT_TRUE(t["conj"].meta().conj);
  EXPECT_EQ(to_string(t["empty"].meta()), "i64[0,3]{3,1}+0@cpu");
}

// SER-01: inside of a fake scope, loaded tensors are fakes on the saved device
TEST_F(TensorArchive, LoadsFakesInsideAScope) {
  FakeMode mode;
  FakeScope scope(mode);
  const Tensor real = tensor_of<float>({1, 2}, {2});
  save_tensors(path(), {{"x", real}, {"same", make_view(real, real.meta())}});
  const NamedTensors t = load_tensors(path());
  EXPECT_TRUE(mode.owns(t.at("x")));
  EXPECT_EQ(to_string(t.at("x").meta()), "f32[2]{1}+0@cpu");
  EXPECT_TRUE(t.at("x").shares_storage(t.at("same")));
}

std::string g_loaded_in_body;

// SER-01: also in the body of a composite op that the fake mode runs, loaded tensors are fakes
TEST_F(TensorArchive, LoadsFakesInBodyOfCompositeOp) {
  save_tensors(path(), {{"x", tensor_of<float>({1, 2}, {2})}});
  g_loaded_in_body = path();
  static const OpEntry& op =
      registry().add("archivetest::load(Tensor like) -> Tensor").with_composite([](CompositeCall& call) {
        call.returns(load_tensors(g_loaded_in_body).at("x"));
      });
  const FakeMode mode;
  EXPECT_TRUE(mode.owns(call(op, {{Value(mode.make(TensorMeta(DType::F32, {})))}})[0].tensor()));
}

// SER-01: loading fakes reads no byte of the weights
TEST_F(TensorArchive, LoadsFakesOfAFileWithoutItsBytes) {
  save_tensors(path(), linear());
  write_without_bytes(path(), path("index_only"));
  FakeMode mode;
  const AllocatorFigures before = host_allocator().figures();
  {
    FakeScope scope(mode);
    const NamedTensors t = load_tensors(path("index_only"));
    EXPECT_EQ(to_string(t.at("weight").meta()), "f32[10,5]{5,1}+0@cpu grad");
    load_tensors(path());
  }
  EXPECT_EQ(host_allocator().figures().allocations, before.allocations);
  EXPECT_THAT(error_of([&] { load_tensors(path("index_only")); }).message,
              HasSubstr("storage 0 names a missing entry 'storages/0'"));
}

// SER-02: under SuspendModes, loaded tensors are real
TEST_F(TensorArchive, LoadsRealTensorsWhereModesAreSuspended) {
  FakeMode mode;
  FakeScope scope(mode);
  save_tensors(path(), {{"x", tensor_of<float>({1, 2}, {2})}});
  SuspendModes suspended;
  EXPECT_EQ(to_string(load_tensors(path()).at("x")), "Tensor(f32[2]@cpu, [1, 2])");
}

// SER-03: a fake mode that exists but is not active does not change the loaded tensors
TEST_F(TensorArchive, AModeThatMerelyExistsHasNoSay) {
  FakeMode held;
  const Tensor fake = held.make(parse_meta("f32[2]@cuda:0"));
  save_tensors(path(), {{"x", tensor_of<float>({1, 2}, {2})}});
  EXPECT_EQ(to_string(load_tensors(path()).at("x")), "Tensor(f32[2]@cpu, [1, 2])");
}

// SER-03: a trace in real mode loads real tensors although an inactive fake mode exists
TEST_F(TensorArchive, ATraceForRealLoadsRealTensors) {
  const FakeMode held;
  const Tensor fake = held.make(parse_meta("f32[2]@cuda:0"));
  save_tensors(path(), {{"x", tensor_of<float>({1, 2}, {2})}});
  std::string loaded;
  const auto load = [&](std::span<const Value> inputs) {
    loaded = to_string(load_tensors(path()).at("x"));
    return std::vector<Value>{inputs[0]};
  };
  const Value input = tensor_of<float>({3}, {1});
  TraceOptions options;
  options.mode = TraceMode::Real;
  trace(load, {&input, 1}, options);
  EXPECT_EQ(loaded, "Tensor(f32[2]@cpu, [1, 2])");
}

// SER-04: named weights load as fake parameters in a fake scope, on their device or on another
TEST_F(TensorArchive, WeightMapLoadsInAScope) {
  save_tensors(path(), linear());
  FakeMode mode;
  FakeScope scope(mode);
  for (const LoadTensorsOptions& options : {LoadTensorsOptions{}, kToCpu}) {
    const NamedTensors t = load_tensors(path(), options);
    EXPECT_TRUE(mode.owns(t.at("weight")) && is_parameter(t.at("weight")));
    EXPECT_EQ(to_string(t.at("weight").meta()), "f32[10,5]{5,1}+0@cpu grad");
    EXPECT_EQ(to_string(t.at("bias").meta()), "f32[10]{1}+0@cpu grad");
  }
  EXPECT_EQ(to_string(load_tensors(path(), {Device{DeviceType::CUDA, -1}}).at("bias").meta()),
            "f32[10]{1}+0@cuda:0 grad");
}

/// Writes a copy of the committed program with other bytes in its weights. Returns its path.
std::string with_damaged_weights(const std::string& to) {
  std::string bytes = read_file(committed_program("mlp"));
  const auto zip = ZipArchive::open(committed_program("mlp"));
  for (const auto& entry : zip->entries()) {
    if (entry.name.find("/data/weights/weight") == std::string::npos) continue;
    const size_t at = bytes.find(zip->read(entry));
    EXPECT_NE(at, std::string::npos) << entry.name;
    for (int64_t i = 0; i < entry.size; ++i) bytes[at + static_cast<size_t>(i)] ^= 0x55;
  }
  std::ofstream(to, std::ios::binary) << bytes;
  return to;
}

// SER-04: the weights of an exported program load as fakes although their bytes are damaged
TEST_F(TensorArchive, WeightsOfProgramComeFakeWithoutTheirBytes) {
  const Program damaged = load_program(with_damaged_weights(path("damaged.pt2")));
  FakeMode mode;
  {
    FakeScope scope(mode);
    const AllocatorFigures before = host_allocator().figures();
    for (const LoadTensorsOptions& options : {LoadTensorsOptions{}, kToCpu}) {
      const NamedTensors t = program_weights(damaged, options);
      ASSERT_EQ(t.size(), 6u);
      for (const auto& [name, tensor] : t) {
        EXPECT_TRUE(mode.owns(tensor) && is_parameter(tensor) && tensor.device().is_cpu()) << name;
      }
    }
    EXPECT_EQ(host_allocator().figures().allocations, before.allocations);
  }
  EXPECT_THAT(error_of([&] { program_weights(damaged); }).message, HasSubstr("damaged after"));
}

TEST_F(TensorArchive, RealWeightsMayBeWrittenWithoutChangingFile) {
  const Program program = load_program(committed_program("mlp"));
  NamedTensors t = program_weights(program);
  ASSERT_EQ(t.size(), 6u);
  const Tensor first = t.begin()->second;
  EXPECT_FALSE(first.is_fake());
  const float was = program.weights.tensor(0).data<float>()[0];
  for (auto& [name, tensor] : t) tensor.data<float>()[0] = was + 1;
  EXPECT_EQ(program.weights.tensor(0).data<float>()[0], was);
}

TEST_F(TensorArchive, RealValueModeLoadsThemBesideFakes) {
  const Tensor x = tensor_of<float>({1, 2}, {2});
  save_tensors(path(), {{"x", x}, {"tail", make_view(x, parse_meta("f32[1]{1}+1"))}});
  FakeOptions options;
  options.propagate_real = true;
  FakeMode mode(options);
  FakeScope scope(mode);
  const NamedTensors t = load_tensors(path());
  EXPECT_TRUE(mode.owns(t.at("x")) && t.at("x").shares_storage(t.at("tail")));
  EXPECT_EQ(to_string(real_value(t.at("tail"))), "Tensor(f32[1]+1@cpu, [2])");
}

TEST_F(TensorArchive, FakesAreSavedWithoutBytesAndLoadFake) {
  FakeMode mode;
  const Tensor x = mode.make(parse_meta("bf16[1000000,1000000]@cuda:1"));
  const Tensor view = mode.make_on(x.storage(), parse_meta("bf16[5]{3}+7@cuda:1"));
  save_tensors(path("outside"), {{"x", x}, {"view", view}});
  FakeScope scope(mode);
  save_tensors(path("inside"), {{"x", x}, {"view", view}});
  EXPECT_LT(std::filesystem::file_size(path("inside")), 2000u);
  EXPECT_EQ(read_file(path("inside")), read_file(path("outside")));

  FakeMode other;
  FakeScope inner(other);
  const NamedTensors t = load_tensors(path("inside"));
  EXPECT_TRUE(other.owns(t.at("x")));
  EXPECT_EQ(to_string(t.at("view").meta()), "bf16[5]{3}+7@cuda:1");
  EXPECT_TRUE(t.at("x").shares_storage(t.at("view")));
  SuspendModes suspended;
  const Error e = error_of([&] { load_tensors(path("inside"), kToCpu); });
  EXPECT_EQ(e.kind, ErrorKind::NotSupported);
  EXPECT_THAT(e.message, HasSubstr("was saved from a fake tensor and has no bytes: load it inside a FakeScope"));
  EXPECT_FALSE(load_tensors(path("inside"), {kMeta}).at("x").is_fake());
}

TEST_F(TensorArchive, FileIsWrittenWholeOrNotAtAll) {
  save_tensors(path(), linear());
  const std::string before = read_file(path());
  ShapeEnv env;
  FakeMode mode;
  const Tensor symbolic = mode.make(TensorMeta(DType::F32, DimVec{env.symbol("s0", 4)}));
  const Error e = error_of([&] { save_tensors(path(), {{"x", symbolic}}); });
  EXPECT_EQ(e.kind, ErrorKind::NotSupported);
  EXPECT_THAT(error_of([&] { save_tensors(path(), {{"x", Tensor()}}); }).message, HasSubstr("'x' is undefined"));
  {
    ZipWriter begun(path());
    begun.add("x", std::as_bytes(std::span(before)));
  }
  EXPECT_EQ(read_file(path()), before);
  EXPECT_THAT(error_of([&] { save_tensors(path("no/where"), linear()); }).message, HasSubstr("cannot be written"));
  save_tensors(path(), linear());
  EXPECT_EQ(read_file(path()), before);  // the file has no dates and no random order
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 1u);
}

class HostileTensorArchive : public TensorArchive {
 protected:
  /// Returns the error for an archive with this index and 8 bytes in `storages/0`.
  std::string refusal(const std::string& index) const {
    const std::string bytes(8, '\0');
    ZipWriter zip(path());
    zip.add(kTensorIndexEntry, std::as_bytes(std::span(index)));
    zip.add("storages/0", std::as_bytes(std::span(bytes)));
    zip.finish();
    const Error e = error_of([&] { load_tensors(path()); });
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument) << e.message;
    EXPECT_THAT(e.message, HasSubstr(path()));
    return e.message;
  }
  static std::string index(const std::string& meta, const std::string& storage = "0", const std::string& bytes = "8",
                           const std::string& names = R"(["x"])", const std::string& device = "cpu") {
    return R"({"format": "ersatz tensors", "version": 1, "storages": [{"device": ")" + device + R"(", "bytes": )" +
           bytes + R"(, "data": "storages/0"}], "tensors": [{"names": )" + names + R"(, "meta": ")" + meta +
           R"(", "storage": )" + storage + R"(, "parameter": false}]})";
  }
};

TEST_F(HostileTensorArchive, TensorBeyondItsStorageIsRefused) {
  EXPECT_THAT(refusal(index("f32[3]@cpu")), HasSubstr("tensors[0].meta: f32[3]@cpu needs 12 bytes, storage 0 has 8"));
  EXPECT_THAT(refusal(index("f32[2]+1@cpu")), HasSubstr("needs 12 bytes"));
}

TEST_F(HostileTensorArchive, ImpossibleSizesAndStridesAreRefused) {
  EXPECT_THAT(refusal(index("f32[-2]@cpu")), HasSubstr("tensors[0].meta"));
  EXPECT_THAT(refusal(index("f32[2]{-1}@cpu")), HasSubstr("tensors[0].meta"));
  EXPECT_THAT(refusal(index("f32[4611686018427387904,16]@cpu")), HasSubstr("tensors[0].meta"));
}

TEST_F(HostileTensorArchive, ImpossibleStorageSizeIsRefused) {
  EXPECT_THAT(refusal(index("f32[2]@cpu", "0", "-8")), HasSubstr("storages[0].bytes: -8 bytes are no size"));
  EXPECT_THAT(refusal(index("f32[2]@cpu", "0", "9223372036854775807")), HasSubstr("storages[0].bytes"));
  EXPECT_THAT(refusal(index("f32[2]@cpu", "0", "99999999999999999999999")), HasSubstr("storages[0].bytes"));
}

TEST_F(HostileTensorArchive, StorageLargerThanItsBytesIsRefused) {
  EXPECT_THAT(refusal(index("f32[2]@cpu", "0", "1000000000000")),
              HasSubstr("storages/0: has 8 bytes where storage 0 has 1000000000000"));
}

TEST_F(HostileTensorArchive, UnreadableMetadataIsRefused) {
  EXPECT_THAT(refusal(index("f33[2]@cpu")), HasSubstr("tensors[0].meta"));
  EXPECT_THAT(refusal(index("f32[s0]@cpu")), HasSubstr("tensors[0].meta"));
  EXPECT_THAT(refusal(index("f32[2]@cpu ~y")), HasSubstr("tensors[0].meta"));
  EXPECT_THAT(refusal(index("f32[2]@tpu")), HasSubstr("tensors[0].meta"));
}

TEST_F(HostileTensorArchive, TensorAndStorageOnDifferentDevicesAreRefused) {
  EXPECT_THAT(refusal(index("f32[2]@meta")), HasSubstr("is on another device than storage 0 (cpu)"));
}

TEST_F(HostileTensorArchive, DeviceWithoutIndexIsRefused) {
  EXPECT_THAT(refusal(index("f32[2]@cuda", "0", "8", R"(["x"])", "cuda")), HasSubstr("is no device with its index"));
}

TEST_F(HostileTensorArchive, UnknownStorageIsRefused) {
  EXPECT_THAT(refusal(index("f32[2]@cpu", "1")), HasSubstr("tensors[0].storage: there is no storage 1 among 1"));
  EXPECT_THAT(refusal(index("f32[2]@cpu", "-1")), HasSubstr("there is no storage -1"));
}

TEST_F(HostileTensorArchive, TensorWithoutANameIsRefused) {
  EXPECT_THAT(refusal(index("f32[2]@cpu", "0", "8", "[]")), HasSubstr("tensors[0].names: a tensor has a name"));
}

TEST_F(HostileTensorArchive, RepeatedNameIsRefused) {
  EXPECT_THAT(refusal(index("f32[2]@cpu", "0", "8", R"(["x", "x"])")), HasSubstr("two tensors are named 'x'"));
}

TEST_F(HostileTensorArchive, NameThatIsNoTextIsRefused) {
  EXPECT_THAT(refusal(index("f32[2]@cpu", "0", "8", R"([["x"]])")), HasSubstr("tensors[0].names[0]"));
}

TEST_F(HostileTensorArchive, WhatIsNoIndexIsRefused) {
  EXPECT_THAT(refusal(R"({"format": "pickles"})"), HasSubstr("format: 'pickles' is no tensor archive"));
  EXPECT_THAT(refusal(R"({"format": "ersatz tensors", "version": 2})"), HasSubstr("version 2 is not read here"));
  EXPECT_THAT(refusal(index("f32[2]@cpu").substr(0, 90)), HasSubstr("no readable JSON"));
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("index.json"));
  EXPECT_THAT(error_of([] { load_tensors(committed_program("mlp")); }).message,
              HasSubstr("no tensor archive: it has no entry 'index.json'"));
}

TEST_F(HostileTensorArchive, ATruncatedFileIsRefusedWhereverItEnds) {
  save_tensors(path(), linear());
  const std::string whole = read_file(path());
  for (size_t length = 0; length < whole.size(); length += 41) {
    std::ofstream(path("cut"), std::ios::binary) << whole.substr(0, length);
    const Error e = error_of([&] { load_tensors(path("cut")); });
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument) << length << ": " << e.message;
  }
}

}  // namespace
}  // namespace ersatz
