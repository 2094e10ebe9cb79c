/* assimp_export.cpp - see bspscene/assimp_export.h: converts the scene, lets Assimp write into memory and passes the
 * files on. A table has a row for each format with its texture mode and the defects of its writer. */
#include <bspscene/assimp_export.h>

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <assimp/Exporter.hpp>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/version.h>

#include "BspError.h"
#include "BspToAssimp.h"

namespace bspscene {
namespace {

/* How a format stores textures. */
enum class Pictures {
	Embedded, /* Assimp's writer embeds them, or writes them next to the main file; materials name them "*0" */
	Files,    /* Export() in this source file passes them on as files next to the main file */
	None
};

struct File {
	std::string name;
	std::vector<char> bytes;
};

/* True if the Assimp in use is older than this version. */
bool IsBefore(unsigned major, unsigned minor)
{
	return aiGetVersionMajor() < major || (aiGetVersionMajor() == major && aiGetVersionMinor() < minor);
}

/* Removes colors and texture coordinates, because Assimp 6.0 writes wrong PLY headers for meshes that have them (Assimp
 * #6825). */
void LeaveWhatPlyDeclares(aiScene &scene)
{
	if (IsBefore(6, 0)) return;
	for (unsigned m = 0; m < scene.mNumMeshes; m++) {
		aiMesh &mesh = *scene.mMeshes[m];
		delete[] mesh.mColors[0];
		mesh.mColors[0] = nullptr;
		for (unsigned set = 0; set < 2; set++) {
			delete[] mesh.mTextureCoords[set];
			mesh.mTextureCoords[set] = nullptr;
			mesh.mNumUVComponents[set] = 0;
		}
	}
}

struct Format {
	const char *ending, *id;
	Pictures pictures;
	void (*prepare)(aiScene &); /* called before the scene is written; may be NULL */
};

const Format formats[] = {
	{ "dae", "collada", Pictures::Embedded, nullptr },
	/* The text form of PLY is used. Binary files are wrong in Assimp before 5.4 (colors are declared as bytes but
	 * written as floats) and in 6.0. */
	{ "ply", "ply", Pictures::None, LeaveWhatPlyDeclares },
	{ "stl", "stlb", Pictures::None, nullptr },
	{ "x", "x", Pictures::Files, nullptr },
	{ "assbin", "assbin", Pictures::Embedded, nullptr },
	{ "assxml", "assxml", Pictures::Embedded, nullptr },
};

const struct { const char *ending, *reason; } refusals[] = {
	{ "x3d", "Assimp's writer crashes on scenes with lights" },
	{ "3mf", "Assimp's writer loses the positions of brush entities and bypasses the caller's output" },
	{ "pbrt", "Assimp's writer needs a directory of textures that exists already" },
	{ "stp", "Assimp's writer keeps neither texture coordinates nor textures" },
	{ "3ds", "the format holds 65535 vertices per mesh and names of 12 letters; use .fbx or .dae" },
};

const Format *FindFormat(const char *ending)
{
	for (const Format &format : formats) {
		if (!std::strcmp(format.ending, ending)) return &format;
	}
	return nullptr;
}

/* ---- Files in memory ------------------------------------------------------------------------------------------- */

/* Files are written into memory: Assimp's writers seek back to fill in sizes and keep several files open, which
 * bspscene_output does not allow. */
class MemoryFile final : public Assimp::IOStream {
public:
	explicit MemoryFile(File &file) : file_(file) {}

	size_t Read(void *, size_t, size_t) override { return 0; }
	size_t Write(const void *data, size_t size, size_t count) override
	{
		size_t total = size * count;
		if (file_.bytes.size() < at_ + total) file_.bytes.resize(at_ + total);
		if (total) std::memcpy(file_.bytes.data() + at_, data, total);
		at_ += total;
		return count;
	}
	aiReturn Seek(size_t offset, aiOrigin origin) override
	{
		size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : file_.bytes.size();
		at_ = base + offset;
		return aiReturn_SUCCESS;
	}
	size_t Tell() const override { return at_; }
	size_t FileSize() const override { return file_.bytes.size(); }
	void Flush() override {}

private:
	File &file_;
	size_t at_ = 0;
};

class MemoryFiles final : public Assimp::IOSystem {
public:
	/* Writers split paths and join them again, so only the part after the last slash is used. */
	Assimp::IOStream *Open(const char *path, const char *) override
	{
		std::string name = path;
		name = name.substr(name.find_last_of("/\\") + 1);
		files_.push_back(std::make_unique<File>());
		files_.back()->name = name;
		return new MemoryFile(*files_.back());
	}
	void Close(Assimp::IOStream *stream) override { delete stream; }
	bool Exists(const char *) const override { return false; }
	char getOsSeparator() const override { return '/'; }

	std::vector<std::unique_ptr<File>> Take() { return std::move(files_); }

private:
	std::vector<std::unique_ptr<File>> files_;
};

/* ---- Exporting -------------------------------------------------------------------------------------------------- */

/* Thrown after the caller's output failed. The caller knows the reason. */
struct OutputFailed : std::exception {};

void HandOver(const bspscene_output &output, const File &file)
{
	bool ok = output.begin(output.user, file.name.c_str()) &&
	          (file.bytes.empty() || output.write(output.user, file.bytes.data(), file.bytes.size())) &&
	          output.end(output.user);
	if (!ok) throw OutputFailed();
}

std::string Stem(const std::string &name)
{
	return name.substr(0, name.find_last_of('.'));
}

/* With Pictures::Files, removes the pictures from the scene. */
std::vector<std::unique_ptr<File>> TakePictures(aiScene &scene)
{
	std::vector<std::unique_ptr<File>> files;
	for (unsigned i = 0; i < scene.mNumTextures; i++) {
		const aiTexture &texture = *scene.mTextures[i];
		auto *bytes = reinterpret_cast<const char *>(texture.pcData);
		auto file = std::make_unique<File>();
		file->name = texture.mFilename.C_Str();
		file->bytes.assign(bytes, bytes + texture.mWidth);
		files.push_back(std::move(file));
	}
	for (unsigned i = 0; i < scene.mNumTextures; i++) delete scene.mTextures[i];
	delete[] scene.mTextures;
	scene.mTextures = nullptr;
	scene.mNumTextures = 0;
	return files;
}

std::unique_ptr<aiScene> ConvertFor(const Format &format, const bspscene_scene &scene,
                                    const bspscene_write_options &options, const std::string &name)
{
	ConvertOptions convert;
	convert.textures = format.pictures == Pictures::None ? Textures::None
		: format.pictures == Pictures::Files ? Textures::Named : Textures::Embedded;
	bool by_default = options.lighting == BSPSCENE_WRITE_LIGHTING_DEFAULT;
	convert.lighting = by_default ? BSPSCENE_WRITE_LIGHTING_LIGHTMAP : options.lighting;
	convert.light_error = options.light_error;
	convert.triangle_limit = options.triangle_limit;
	convert.report = options.report;
	for (uint32_t i = 0; options.light_styles && i < 256; i++) convert.light_styles[i] = options.light_styles[i];
	convert.scale = scene.meters_per_unit;
	convert.file_stem = Stem(name);
	auto out = std::make_unique<aiScene>();
	Convert(scene, convert, *out);
	return out;
}

void Export(const bspscene_scene &scene, const Format &format, const bspscene_write_options &options,
            const bspscene_output &output)
{
	std::string name = options.file_name ? options.file_name : std::string(scene.name) + "." + format.ending;
	std::unique_ptr<aiScene> converted = ConvertFor(format, scene, options, name);
	std::vector<std::unique_ptr<File>> pictures;
	if (format.pictures == Pictures::Files) pictures = TakePictures(*converted);

	if (format.prepare) format.prepare(*converted);
	auto *memory = new MemoryFiles;
	Assimp::Exporter exporter;
	exporter.SetIOHandler(memory); /* takes ownership */
	aiReturn done = exporter.Export(converted.get(), format.id, name);
	if (done != aiReturn_SUCCESS) throw ImportError(std::string("Assimp: ") + exporter.GetErrorString());
	std::vector<std::unique_ptr<File>> files = memory->Take();
	converted.reset();
	if (files.empty()) throw ImportError("Assimp's exporter wrote no file");

	/* Passes the main file on first, in whatever order the writer opened its files. */
	for (const auto &file : files) {
		if (file->name == name) HandOver(output, *file);
	}
	for (const auto &file : files) {
		if (file->name != name) HandOver(output, *file);
	}
	for (const auto &file : pictures) HandOver(output, *file);
}

bool Fail(bspscene_error *error, bspscene_status status, const char *message)
{
	if (!error) return false;
	*error = bspscene_error{};
	error->status = status;
	error->record = BSPSCENE_NO_INDEX;
	error->offset = UINT64_MAX;
	std::strncpy(error->message, message, sizeof error->message - 1);
	return false;
}

} // namespace
} // namespace bspscene

using namespace bspscene;

const char *bspscene_assimp_export_ending(uint32_t index)
{
	return index < sizeof formats / sizeof *formats ? formats[index].ending : nullptr;
}

const char *bspscene_assimp_export_refusal(const char *ending)
{
	for (const auto &row : refusals) {
		if (!std::strcmp(row.ending, ending)) return row.reason;
	}
	return nullptr;
}

bool bspscene_assimp_export(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                            const bspscene_output *output, bspscene_error *error)
{
	bspscene_write_options defaults;
	bspscene_write_options_init(&defaults);
	const Format *format = FindFormat(writer);
	if (error) *error = bspscene_error{};
	if (!format) return Fail(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "Assimp has no exporter for this format");
	if (scene->lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_HDR && scene->lightmap_page_count) {
		return Fail(error, BSPSCENE_ERROR_BAD_OPTIONS,
		            "Assimp's formats cannot hold HDR lightmaps: use the lightmap encoding display");
	}
	try {
		Export(*scene, *format, options ? *options : defaults, *output);
		return true;
	} catch (const std::bad_alloc &) {
		return Fail(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	} catch (const OutputFailed &) {
		return Fail(error, BSPSCENE_ERROR_IO, "writing to the output failed");
	} catch (const std::exception &exception) {
		return Fail(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, exception.what());
	} catch (...) {
		return Fail(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "unknown exception");
	}
}
