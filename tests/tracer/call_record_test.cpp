// Parsing recorded calls: the fields of a line, refusals, and the tensors made from a record.
#include "tracer/records/call_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/tensor/meta_text.h"
#include "tracer/records/record_chunks.h"
#include "tracer/records/recorded_values.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CallRecord parse(const std::string& line) { return parse_call_record(line, "calls.jsonl:7"); }

/// Returns a record with these arguments and without results.
CallRecord with_args(const std::string& args, const std::string& kwargs = "{}") {
  return parse(R"({"id":"f/1","op":"aten.f.default","args":[)" + args + R"(],"kwargs":)" + kwargs + R"(,"out":[]})");
}

std::string refusal(const std::string& line) {
  try {
    parse(line);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument) << e.message;
    EXPECT_EQ(e.message.find('\n'), std::string::npos) << e.message;
    return e.message;
  }
  return "not refused";
}
std::string refused_args(const std::string& args) {
  return refusal(R"({"id":"f/1","op":"aten.f.default","args":[)" + args + R"(],"kwargs":{},"out":[]})");
}

std::string literal(const std::string& arg) { return to_string(with_args(arg).args[0].literal); }

TEST(CallRecord, HasIdOpAndTags) {
  const CallRecord r = parse(
      R"({"id":"dropout/000003","op":"aten.dropout.default","args":[],"kwargs":{},"out":[],"tags":["random","uninit","data_dependent","value_dependent"]})");
  EXPECT_EQ(r.id, "dropout/000003");
  EXPECT_EQ(r.op, "aten.dropout.default");
  EXPECT_TRUE(r.random && r.uninit && r.data_dependent && r.value_dependent);
}

TEST(CallRecord, TheSpellingOfANumberDecidesItsKind) {
  EXPECT_EQ(literal("2"), "2");
  EXPECT_EQ(literal("2.0"), "2.0");
  EXPECT_EQ(literal("1e-05"), "1e-05");
  EXPECT_EQ(literal("true"), "True");
  EXPECT_EQ(literal("null"), "None");
  EXPECT_EQ(literal("\"mean\""), "\"mean\"");
}

TEST(CallRecord, IntegersKeepAll64Bits) {
  EXPECT_EQ(with_args("9223372036854775807").args[0].literal.as_int().as_int(), INT64_MAX);
}

TEST(CallRecord, ObjectsOfOneMemberAreLiterals) {
  EXPECT_EQ(literal(R"({"dtype":"bf16"})"), "bf16");
  EXPECT_EQ(literal(R"({"layout":"strided"})"), "strided");
  EXPECT_EQ(literal(R"({"device":"cpu"})"), "cpu");
  EXPECT_EQ(literal(R"({"memory_format":"channels_last"})"), "channels_last");
  EXPECT_EQ(with_args(R"({"complex":[1.5,-2]})").args[0].literal.as_complex(), std::complex<double>(1.5, -2));
  EXPECT_EQ(with_args(R"({"inf":1})").args[0].literal.as_double(), INFINITY);
  EXPECT_EQ(with_args(R"({"inf":-1})").args[0].literal.as_double(), -INFINITY);
  EXPECT_TRUE(std::isnan(with_args(R"({"nan":1})").args[0].literal.as_double()));
}

TEST(CallRecord, ListsOfIntegersAreIntegerLists) {
  EXPECT_EQ(to_string(argument_value(with_args("[1,2]").args[0], {})), "[1, 2]");
  EXPECT_EQ(argument_value(with_args("[1,2]").args[0], {}).kind(), Value::Kind::IntList);
  EXPECT_EQ(argument_value(with_args("[1,2.0]").args[0], {}).kind(), Value::Kind::List);
  EXPECT_EQ(argument_value(with_args("[null]").args[0], {}).as_list()[0].kind(), Value::Kind::None);
}

TEST(CallRecord, TensorsAreNumberedInTheOrderWritten) {
  const char* t = R"({"t":"f32[2]{1}+0@cpu","s":0,"n":8})";
  const CallRecord r =
      with_args(fmt::format("[{},null],{}", t, t), fmt::format(R"({{"values":{},"indices":{}}})", t, t));
  EXPECT_EQ(r.tensors.size(), 4u);
  EXPECT_EQ(r.args[0].items[0].tensor, 0);
  EXPECT_EQ(r.args[1].tensor, 1);
  // Keyword arguments keep the order of the text instead of being sorted.
  EXPECT_EQ(r.args[2].name, "values");
  EXPECT_EQ(r.args[2].tensor, 2);
  EXPECT_EQ(r.args[3].name, "indices");
  EXPECT_EQ(r.args[3].tensor, 3);
}

TEST(CallRecord, ResultsAreFlatAndMayBeNothing) {
  const CallRecord r = parse(
      R"({"id":"f/1","op":"aten.f.default","args":[],"kwargs":{},"out":[[{"t":"f32[]{}+0@cpu","s":1,"n":4},null],7]})");
  ASSERT_EQ(r.outcome.results.size(), 3u);
  EXPECT_EQ(to_string(r.outcome.results[0].tensor.meta), "f32[]{}+0@cpu");
  EXPECT_EQ(r.outcome.results[1].kind, RecordedResult::Kind::None);
  EXPECT_EQ(to_string(r.outcome.results[2].number), "7");
}

TEST(CallRecord, PredictionsMayHaveForeignErrorsAndShortStorages) {
  const CallRecord r = parse(
      R"({"id":"f/1","op":"aten.f.default","args":[],"kwargs":{},"out":[],"fake":{"err":"ZeroDivisionError"},"cuda_fake":{"out":[{"t":"f32[4]{1}+0@cuda:0","s":0,"n":-8}]}})");
  EXPECT_EQ(r.fake->error, "ZeroDivisionError");
  EXPECT_EQ(to_string(r.cuda_fake->results[0].tensor.meta), "f32[4]{1}+0@cuda:0");
}

TEST(CallRecord, UnknownThingsMakeItUnusableNotAnError) {
  EXPECT_EQ(with_args(R"({"dtype":"f8_e4m3"})").unusable, "dtype f8_e4m3");
  EXPECT_EQ(with_args(R"({"layout":"sparse_coo"})").unusable, "layout sparse_coo");
  EXPECT_EQ(with_args(R"({"t":"quint8[2]{1}+0@cpu","s":0,"n":2})").unusable, "dtype quint8");
  EXPECT_EQ(with_args(R"(3,{"t":"quint8[2]{1}+0@cpu","s":0,"n":2})").unusable_of, "argument 1");
  EXPECT_EQ(with_args("3", R"({"to":{"dtype":"f8_e4m3"}})").unusable_of, "argument to");
}

TEST(CallRecord, ADTypeMayHaveItsLongName) {
  const CallRecord r = with_args(R"({"t":"float8_e4m3fn[2]{1}+0@cpu","s":0,"n":2,"v":[0.5,"nan"]})");
  EXPECT_EQ(r.unusable, "");
  EXPECT_EQ(to_string(r.tensors[0].meta), "f8e4m3fn[2]{1}+0@cpu");
  EXPECT_EQ(r.tensors[0].values, (std::vector<std::byte>{std::byte{0x30}, std::byte{0x7f}}));
}

TEST(CallRecord, AStorageOfTwoSizesHasTheLarger) {
  const CallRecord r = parse(
      R"({"id":"f/1","op":"aten.f.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8},{"t":"f32[2]{1}+0@cpu","s":0,"n":16}],"kwargs":{},"out":[{"t":"f32[2]{1}+0@cpu","s":0,"n":16,"is":1}]})");
  EXPECT_EQ(r.tensors[0].storage, r.tensors[1].storage);
  EXPECT_EQ(r.tensors[0].nbytes, 16);
  EXPECT_EQ(r.outcome.results[0].tensor.storage, r.tensors[1].storage);
}

TEST(CallRecord, BytesDecideOverNumbers) {
  const CallRecord r = with_args(R"({"t":"f8e5m2[2]{1}+0@cpu","s":0,"n":2,"v":["nan",0.0],"hex":"fd80"})");
  EXPECT_EQ(r.tensors[0].values, (std::vector<std::byte>{std::byte{0xfd}, std::byte{0x80}}));
  EXPECT_THROW(with_args(R"({"t":"f8e5m2[2]{1}+0@cpu","s":0,"n":2,"hex":"fd"})"), Error);
  EXPECT_THROW(with_args(R"({"t":"f8e5m2[1]{1}+0@cpu","s":0,"n":1,"hex":"Fd"})"), Error);
}

TEST(CallRecord, NumbersOfDTypesWithFewKernels) {
  const CallRecord u = with_args(R"({"t":"u64[1]{1}+0@cpu","s":0,"n":8,"v":[18446744073709551615]})");
  EXPECT_EQ(u.tensors[0].values, std::vector<std::byte>(8, std::byte{0xff}));
  const CallRecord f = with_args(R"({"t":"f4e2m1fn_x2[1]{1}+0@cpu","s":0,"n":1,"v":[[1.5,-6]]})");
  EXPECT_EQ(f.tensors[0].values, std::vector<std::byte>{std::byte{0xf3}});
  const CallRecord c = with_args(R"({"t":"c32[1]{1}+0@cpu","s":0,"n":4,"v":[[1,-2]]})");
  EXPECT_EQ(c.tensors[0].values,
            (std::vector<std::byte>{std::byte{0}, std::byte{0x3c}, std::byte{0}, std::byte{0xc0}}));
}

TEST(CallRecord, ADictIsPairsInTheirOrder) {
  const CallRecord r = with_args(R"({"dict":[["b",{"t":"f32[]{}+0@cpu","s":0,"n":4}],["a",2]]})");
  ASSERT_EQ(r.args[0].items.size(), 2u);
  EXPECT_TRUE(r.args[0].is_dict);
  EXPECT_EQ(r.args[0].items[0].name, "b");
  EXPECT_EQ(r.args[0].items[0].tensor, 0);
  EXPECT_EQ(to_string(r.args[0].items[1].literal), "2");
}

TEST(CallRecord, ANumberMayBeAnyIntegerOf64Bits) {
  EXPECT_EQ(to_string(argument_value(with_args("-9223372036854775808").args[0], {})), "-9223372036854775808");
  EXPECT_EQ(to_string(argument_value(with_args("[1,-9223372036854775808]").args[0], {})), "[1, -9223372036854775808]");
}

TEST(CallRecord, StoragesAreSharedFilledAndElsewhereZero) {
  const CallRecord r =
      with_args(R"({"t":"f32[2]{2}+1@cpu","s":5,"n":16,"v":[1.5,"nan"]},{"t":"f32[4]{1}+0@cpu","s":5,"n":16})");
  const std::vector<Tensor> made = make_recorded_tensors(r);
  EXPECT_TRUE(made[0].shares_storage(made[1]));
  const float* all = made[1].data<float>();
  EXPECT_EQ(all[0], 0);
  EXPECT_EQ(all[1], 1.5f);
  EXPECT_EQ(all[2], 0);
  EXPECT_TRUE(std::isnan(all[3]));
}

TEST(CallRecord, ValuesAreThoseAfterConjugation) {
  const CallRecord r = with_args(R"({"t":"c64[1]{1}+0@cpu","s":0,"n":8,"v":[[1,2]],"conj":true})");
  const Tensor made = make_recorded_tensors(r)[0];
  EXPECT_TRUE(made.meta().conj);
  EXPECT_EQ(*made.data<std::complex<float>>(), std::complex<float>(1, -2));
  const Tensor values = recorded_values(r.tensors[0], made.meta());
  EXPECT_EQ(*values.data<std::complex<float>>(), std::complex<float>(1, -2));
}

TEST(CallRecord, MalformedJsonNamesFileLineAndByte) {
  EXPECT_THAT(refusal("{\"id\": 1,,}"), HasSubstr("calls.jsonl:7: no readable JSON: byte 10"));
}

TEST(CallRecord, MissingMemberNamesFileAndLine) {
  EXPECT_THAT(refusal(R"({"id":"f/1","op":"aten.f.default"})"), HasSubstr("calls.jsonl:7: has no 'args'"));
  EXPECT_THAT(refused_args(R"({"t":"f32[2]","s":0})"), HasSubstr("calls.jsonl:7: args[0]: has no 'n'"));
}

TEST(CallRecord, MalformedMetadataNamesItsMember) {
  EXPECT_THAT(refused_args(R"({"t":"f32[2","s":0,"n":8})"), HasSubstr("calls.jsonl:7: args[0].t: "));
}

TEST(CallRecord, UnknownKindOfArgumentIsRefused) {
  EXPECT_THAT(refused_args(R"({"colour":"red"})"), HasSubstr("args[0]: 'colour' is no kind of argument"));
}

TEST(CallRecord, UnknownClassOfErrorIsRefused) {
  EXPECT_THAT(refusal(R"({"id":"f/1","op":"aten.f.default","args":[],"kwargs":{},"err":"KeyboardInterrupt"})"),
              HasSubstr("err: 'KeyboardInterrupt' is no class of errors that a record has"));
}

TEST(CallRecord, PythonOperatorErrorClassesAreRuntimeErrors) {
  for (const char* error : {"AssertionError", "KeyError", "Exception"}) {
    const CallRecord r = parse_call_record(
        fmt::format(R"({{"id":"f/1","op":"aten.f.default","args":[],"kwargs":{{}},"err":"{}"}})", error), "f:1");
    EXPECT_EQ(r.outcome.error, error);
    EXPECT_EQ(r.outcome.family(), ErrorFamily::Runtime);
  }
}

TEST(CallRecord, TensorsBeyondTheirStorageAreRefused) {
  EXPECT_THAT(refused_args(R"({"t":"f32[2]{1}+1@cpu","s":0,"n":8})"),
              HasSubstr("its elements need 12 bytes, the storage has 8"));
  EXPECT_THAT(refused_args(R"({"t":"f32[2]{1}+0@cpu","s":0,"n":999999999999})"), HasSubstr("take more than"));
  EXPECT_THAT(refused_args(R"({"t":"f32[4000000000,4000000000,4000000000]{0,0,0}+0@cpu","s":0,"n":4})"),
              HasSubstr("args[0].t: "));
}

TEST(CallRecord, ValuesHaveCountAndRangeOfTheirTensor) {
  EXPECT_THAT(refused_args(R"({"t":"u8[2]{1}+0@cpu","s":0,"n":2,"v":[1]})"), HasSubstr("1 values for 2 elements"));
  EXPECT_THAT(refused_args(R"({"t":"u8[1]{1}+0@cpu","s":0,"n":1,"v":[256]})"), HasSubstr("256 is out of range"));
  EXPECT_THAT(refused_args(R"({"t":"bool[1]{1}+0@cpu","s":0,"n":1,"v":[2]})"), HasSubstr("true or false"));
  EXPECT_THAT(refused_args(R"({"t":"f32[1]{1}+0@cpu","s":0,"n":4,"v":["one"]})"), HasSubstr("'one' is no number"));
}

TEST(CallRecord, NestingIsBounded) {
  EXPECT_THAT(refused_args(std::string(300, '[') + std::string(300, ']')), HasSubstr("nested more than"));
  EXPECT_THAT(refused_args(std::string(20, '[') + std::string(20, ']')), HasSubstr("lists nest deeper than 8"));
  std::string rank;
  for (int i = 0; i < 300; ++i) rank += i ? ",1" : "1";
  EXPECT_THAT(refused_args(R"({"t":"f32[)" + rank + R"(]","s":0,"n":4})"), HasSubstr("300 dimensions"));
}

TEST(CallRecord, AMemberThatStandsTwiceIsRefused) {
  EXPECT_THAT(refusal(R"({"id":"a","id":"b"})"), HasSubstr("id: stands there twice"));
  EXPECT_THAT(refusal(R"({"id":"f/1","op":"aten.f.default","args":[],"kwargs":{"dim":1,"dim":2},"out":[]})"),
              HasSubstr("keyword argument 'dim' stands there twice"));
}

TEST(CallRecord, ArgumentNumbersMustExist) {
  EXPECT_THAT(
      refusal(
          R"({"id":"f/1","op":"aten.f.default","args":[],"kwargs":{},"out":[{"t":"f32[]{}+0@cpu","s":0,"n":4,"is":0}]})"),
      HasSubstr("there is no tensor argument 0"));
  EXPECT_THAT(
      refusal(
          R"({"id":"f/1","op":"aten.f.default","args":[],"kwargs":{},"out":[],"after":{"1":{"t":"f32[]{}+0@cpu","s":0,"n":4}}})"),
      HasSubstr("there is no tensor argument '1'"));
}

TEST(CallRecords, AreKnownByTheirFirstMembers) {
  EXPECT_TRUE(looks_like_call_records(R"({"id":"add/1","op":"aten.add.Tensor","args":[{"op":1}]})"));
  EXPECT_TRUE(looks_like_call_records(R"({"id":"add/1","op":"aten.ad)"));
  EXPECT_FALSE(looks_like_call_records(R"({"graph_module":{"graph":{}},"op":1})"));
  EXPECT_FALSE(looks_like_call_records(R"({"nodes":[{"op":"x"}]})"));
  EXPECT_FALSE(looks_like_call_records(R"(["op"])"));
}

std::string scratch(const std::string& name, const std::string& bytes) {
  const std::string path = testing::TempDir() + name;
  std::FILE* f = std::fopen(path.c_str(), "wb");
  std::fwrite(bytes.data(), 1, bytes.size(), f);
  std::fclose(f);
  return path;
}

TEST(RecordChunks, GiveEveryLineOnceWithItsNumber) {
  const std::string first = scratch("first.jsonl", "a\n\nbbbbbbbbbb\nc");
  const std::string second = scratch("second.jsonl", "d\n");
  RecordChunks chunks({first, second}, 4);  // each chunk is smaller than a line
  std::vector<std::string> lines;
  RecordChunk chunk;
  while (chunks.next(chunk)) {
    chunk.each_line([&](std::string_view line, int64_t number) {
      lines.push_back(fmt::format("{}{}:{}", chunk.file == first ? 1 : 2, number, line));
    });
  }
  EXPECT_THAT(lines, ElementsAre("11:a", "13:bbbbbbbbbb", "14:c", "21:d"));
}

TEST(RecordChunks, AFileThatIsNotThereIsNamed) {
  RecordChunks chunks({"/no/such.jsonl"});
  RecordChunk chunk;
  try {
    chunks.next(chunk);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.message, HasSubstr("/no/such.jsonl: cannot be read"));
  }
}

std::string with_format(const std::string& rest) {
  return R"({"op":"mine.mix.default","id":"0","args":[{"t":"f32[4]{1}+0@cpu","s":0,"n":16}],"kwargs":{},"out":[{"t":"f32[4]{1}+0@cpu","s":1,"n":16}],)" +
         rest + "}";
}

TEST(CallRecord, OfBothFormatsIsRead) {
  EXPECT_EQ(parse(with_format(R"("tags":[])")).format, 1);
  EXPECT_EQ(parse(with_format(R"("format":1)")).format, 1);
  EXPECT_EQ(parse(with_format(R"("format":2)")).format, 2);
}

TEST(CallRecord, NewerFormatIsRefusedWithTheRemedy) {
  EXPECT_EQ(
      refusal(with_format(R"("format":3)")),
      "calls.jsonl:7: format: written in format 3, this ersatz reads up to 2: update ersatz, or record again with its "
      "own ersatz.torch.record");
  EXPECT_THAT(refusal(with_format(R"("format":0)")), HasSubstr("0 is no version of the format"));
  EXPECT_THAT(refusal(with_format(R"("format":"2")")), HasSubstr("an integer is expected"));
}

TEST(CallRecord, SaysWhetherFakesWereAskedAndDiffered) {
  const CallRecord old = parse(with_format(R"("tags":[])"));
  EXPECT_TRUE(old.predicted && !old.fake);
  const CallRecord never = parse(with_format(R"("format":2)"));
  EXPECT_TRUE(!never.predicted && !never.fake);
  const CallRecord same = parse(with_format(R"("format":2,"fake":"out")"));
  EXPECT_TRUE(same.predicted && !same.fake);
  const CallRecord other =
      parse(with_format(R"("format":2,"fake":{"err":"RuntimeError","message":"RuntimeError: no"})"));
  EXPECT_TRUE(other.predicted && other.fake);
  EXPECT_EQ(other.fake->message, "RuntimeError: no");
}

TEST(CallRecord, HasCallPlaceSchemaAndBytes) {
  const CallRecord r = parse(with_format(
      R"("format":2,"at":"train.py:12 in forward","schema":"mine::mix(Tensor x) -> Tensor","lacks":"values","bytes":{"0":{"untouched":3,"of":4,"filled":true,"beside":8}})"));
  EXPECT_EQ(r.at, "train.py:12 in forward");
  EXPECT_EQ(r.schema, "mine::mix(Tensor x) -> Tensor");
  EXPECT_TRUE(r.lacks_values);
  ASSERT_EQ(r.bytes.size(), 1u);
  EXPECT_EQ(r.bytes[0].untouched, 3);
  EXPECT_EQ(r.bytes[0].of, 4);
  EXPECT_EQ(r.bytes[0].beside, 8);
  EXPECT_TRUE(r.bytes[0].filled);
}

TEST(CallRecord, UnstoredValuesForSizesOrSuccessAreLacked) {
  EXPECT_TRUE(parse(with_format(R"("tags":["data_dependent","value_dependent"])")).lacks_values);
  EXPECT_FALSE(parse(with_format(R"("tags":["data_dependent"])")).lacks_values);
}

TEST(CallRecord, BytesWithoutArgumentAndImpossibleCountsAreRefused) {
  EXPECT_THAT(refusal(with_format(R"("bytes":{"1":{}})")), HasSubstr("there is no tensor argument '1'"));
  EXPECT_THAT(refusal(with_format(R"("bytes":{"0":{"untouched":5,"of":4}})")), HasSubstr("5 of 4 elements"));
}

TEST(CallRecord, UnsupportedThingsMakeTheCallUnusableByName) {
  EXPECT_EQ(with_args(R"({"opaque":["DTensor","f32[4]{1}+0@cpu"]})").unusable, "DTensor");
  EXPECT_THAT(refused_args(R"({"opaque":["DTensor"]})"), HasSubstr("[name, text]"));
}

TEST(CallRecord, IsOfDeviceThatItsTensorsAreOn) {
  EXPECT_FALSE(with_args(R"({"t":"f32[]{}+0@cpu","s":0,"n":4})").on_cuda);
  EXPECT_TRUE(with_args(R"({"t":"f32[]{}+0@cuda:0","s":0,"n":4})").on_cuda);
}

}  // namespace
}  // namespace ersatz
