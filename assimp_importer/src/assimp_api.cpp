/* assimp_api.cpp - the C functions of bspscene_assimp.h, except the hook. */
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/cfileio.h>
#include <assimp/scene.h>
#include <assimp/version.h>

#include <bspscene/bspscene_assimp.h>

#include "BspError.h"
#include "BspImporter.h"

namespace bspscene {
namespace {

/* A fixed buffer, because storing an error must not fail. */
thread_local char last_error[512];

void SetError(const char *message) noexcept
{
	std::strncpy(last_error, message, sizeof last_error - 1);
}

/* Calls a function that may throw. An exception becomes the thread's error, and `failed` is returned. */
template <typename Result, typename Function> Result Guard(Result failed, Function function) noexcept
{
	last_error[0] = 0;
	try {
		return function();
	} catch (const std::bad_alloc &) {
		SetError("BSP: out of memory");
	} catch (const std::exception &exception) {
		SetError(exception.what());
	} catch (...) {
		SetError("BSP: unknown exception");
	}
	return failed;
}

/* ---- aiFileIO as an IOSystem: Assimp's own adapter is not exported ------------------------------------------ */

class CStream final : public Assimp::IOStream {
public:
	explicit CStream(aiFile *file) : file_(file) {}
	aiFile *File() const { return file_; }

	size_t Read(void *data, size_t size, size_t count) override
	{
		return file_->ReadProc(file_, static_cast<char *>(data), size, count);
	}
	size_t Write(const void *data, size_t size, size_t count) override
	{
		return file_->WriteProc(file_, static_cast<const char *>(data), size, count);
	}
	aiReturn Seek(size_t offset, aiOrigin origin) override { return file_->SeekProc(file_, offset, origin); }
	size_t Tell() const override { return file_->TellProc(file_); }
	size_t FileSize() const override { return file_->FileSizeProc(file_); }
	void Flush() override { file_->FlushProc(file_); }

private:
	aiFile *file_;
};

class CSystem final : public Assimp::IOSystem {
public:
	explicit CSystem(aiFileIO *io) : io_(io) {}

	bool Exists(const char *path) const override
	{
		aiFile *file = io_->OpenProc(io_, path, "rb");
		if (file) io_->CloseProc(io_, file);
		return file != nullptr;
	}
	char getOsSeparator() const override { return '/'; }
	Assimp::IOStream *Open(const char *path, const char *mode) override
	{
		aiFile *file = io_->OpenProc(io_, path, mode);
		if (!file) return nullptr;
		CStream *stream = new (std::nothrow) CStream(file);
		if (stream) return stream;
		io_->CloseProc(io_, file);
		throw std::bad_alloc();
	}
	void Close(Assimp::IOStream *stream) override
	{
		if (!stream) return;
		io_->CloseProc(io_, static_cast<CStream *>(stream)->File());
		delete stream;
	}

private:
	aiFileIO *io_;
};

/* ---- Importing ---------------------------------------------------------------------------------------------- */

void ApplyOptions(Assimp::Importer &importer, const bspscene_assimp_options *options)
{
	if (!options) return;
	/* Size of the struct when it was first published. */
	const size_t first_size = offsetof(bspscene_assimp_options, hint) + sizeof options->hint;
	bspscene_assimp_options known;
	bspscene_error error;
	if (!bspscene_struct_read(&known, sizeof known, first_size, options, "assimp_options", &error)) {
		throw ImportError(error.message);
	}
	for (const char *const *property = known.properties; property && *property; property++) {
		SetProperty(importer, *property);
	}
	if (known.io) importer.SetIOHandler(new CSystem(known.io));
}

/* Gives the importer to the scene. libassimp finds it in the first field of the scene's private data, and deletes both
 * together. */
const aiScene *HandOver(std::unique_ptr<Assimp::Importer> importer, const aiScene *scene)
{
	if (!scene) {
		SetError(importer->GetErrorString());
		return nullptr;
	}
	*static_cast<Assimp::Importer **>(scene->mPrivate) = importer.release();
	return scene;
}

std::unique_ptr<Assimp::Importer> MakeImporter(const bspscene_assimp_options *options)
{
	auto importer = std::make_unique<Assimp::Importer>();
	Register(*importer);
	ApplyOptions(*importer, options);
	return importer;
}

} // namespace

void Register(Assimp::Importer &importer)
{
	/* Structs have another layout if libassimp was built with double precision. */
	bool doubles = (aiGetCompileFlags() & ASSIMP_CFLAGS_DOUBLE_SUPPORT) != 0;
	if (aiGetVersionMajor() != ASSIMP_VERSION_OF_BUILD || doubles != (sizeof(ai_real) == sizeof(double))) {
		throw ImportError("this importer is built for Assimp " + std::to_string(ASSIMP_VERSION_OF_BUILD) +
		                  ", but the program uses Assimp " + std::to_string(aiGetVersionMajor()) +
		                  (doubles ? " with double precision" : ""));
	}
	auto ours = std::make_unique<BspImporter>();
	for (size_t i = 0; i < importer.GetImporterCount(); i++) {
		const aiImporterDesc *info = importer.GetImporterInfo(i);
		if (info && !std::strcmp(info->mName, ours->GetInfo()->mName)) return;
	}
	if (importer.RegisterLoader(ours.get()) != aiReturn_SUCCESS) throw ImportError("Assimp refused the importer");
	ours.release();
}

} // namespace bspscene

using namespace bspscene;

bool bspscene_assimp_register(void *importer)
{
	return Guard(false, [&] {
		Register(*static_cast<Assimp::Importer *>(importer));
		return true;
	});
}

const aiScene *bspscene_assimp_import_file(const char *path, unsigned post_process,
                                           const bspscene_assimp_options *options)
{
	return Guard<const aiScene *>(nullptr, [&] {
		auto importer = MakeImporter(options);
		std::string file = path;
		size_t mark = file.find_last_of('#');
		if (mark != std::string::npos && mark >= 4 && file.compare(mark - 4, 4, ".pk3") == 0) {
			SetProperty(*importer, "IMPORT_BSP_MAP=" + file.substr(mark + 1));
			file.resize(mark);
		}
		const aiScene *scene = importer->ReadFile(file, post_process);
		return HandOver(std::move(importer), scene);
	});
}

const aiScene *bspscene_assimp_import_memory(const void *data, size_t size, unsigned post_process,
                                             const bspscene_assimp_options *options)
{
	return Guard<const aiScene *>(nullptr, [&] {
		auto importer = MakeImporter(options);
		const char *hint = options && options->hint ? options->hint : "bsp";
		const aiScene *scene = importer->ReadFileFromMemory(data, size, post_process, hint);
		return HandOver(std::move(importer), scene);
	});
}

const char *bspscene_assimp_error(void)
{
	return last_error;
}
