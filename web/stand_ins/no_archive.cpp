// Archives need zlib and minizip, which Debian has only for native programs. So each function that opens or writes an
// archive says that it cannot.
#include "runtime/base/error.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/archive/zip_writer.h"

namespace ersatz {
namespace {

[[noreturn]] void no_archive(const std::string& path, const char* done) {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
       "{}: archives (.pt2) are not {} in a web page: this build has no zlib. Use the program `ersatz` on your machine",
       path, done);
}

}  // namespace

class ZipArchive::Reader {};

std::shared_ptr<ZipArchive> ZipArchive::open(const std::string& path) { no_archive(path, "read"); }
std::shared_ptr<ZipArchive> ZipArchive::from_bytes(std::string, std::string name) { no_archive(name, "read"); }
ZipArchive::~ZipArchive() = default;
const ZipArchive::Entry* ZipArchive::find(std::string_view) const { return nullptr; }
std::string ZipArchive::read(const Entry&) const { no_archive(path_, "read"); }
void ZipArchive::read(std::string_view, std::span<char>) const { no_archive(path_, "read"); }

ZipWriter::ZipWriter(const std::string& path) { no_archive(path, "written"); }
ZipWriter::~ZipWriter() = default;
void ZipWriter::add(const std::string&, std::span<const std::byte>) {}
void ZipWriter::finish() {}

}  // namespace ersatz
