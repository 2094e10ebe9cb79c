/* BspTextures.cpp - see BspTextures.h. */
#include "BspTextures.h"

#include <cstring>
#include <new>

#include "BspError.h"

namespace bspscene {
namespace {

bool Append(void *user, const void *data, size_t size) noexcept
{
	try {
		auto *bytes = static_cast<std::vector<uint8_t> *>(user);
		auto *from = static_cast<const uint8_t *>(data);
		bytes->insert(bytes->end(), from, from + size);
		return true;
	} catch (...) {
		return false;
	}
}

[[noreturn]] void Fail(const bspscene_error &error)
{
	if (error.status == BSPSCENE_ERROR_OUT_OF_MEMORY || error.status == BSPSCENE_ERROR_IO) throw std::bad_alloc();
	throw ImportError(error.message);
}

std::vector<uint8_t> EncodePng(const bspscene_pixels &pixels)
{
	std::vector<uint8_t> bytes;
	bspscene_error error;
	if (!bspscene_write_png(pixels.width, pixels.height, 4, pixels.data, Append, &bytes, &error)) Fail(error);
	return bytes;
}

struct Pixels : bspscene_pixels {
	Pixels() : bspscene_pixels{} {}
	~Pixels() { bspscene_pixels_free(this); }
};

/* Returns a normal map with inverted green and without its alpha, which masks reflections. Empty if it cannot be
 * decoded. */
std::vector<uint8_t> DecodeNormalsToPng(const bspscene_image &image)
{
	Pixels pixels;
	bspscene_error error;
	if (!bspscene_image_decode(&image, &pixels, &error)) {
		if (error.status == BSPSCENE_ERROR_OUT_OF_MEMORY) Fail(error);
		return {};
	}
	size_t size = size_t{ pixels.width } * pixels.height * 4;
	for (size_t i = 0; i < size; i += 4) {
		pixels.data[i + 1] = static_cast<uint8_t>(255 - pixels.data[i + 1]);
		pixels.data[i + 3] = 255;
	}
	return EncodePng(pixels);
}

/* An image that cannot be decoded is replaced by its fallback color, like a missing one. */
std::vector<uint8_t> DecodeToPng(const bspscene_image &image)
{
	Pixels pixels;
	bspscene_error error;
	bspscene_image missing = image;
	missing.format = BSPSCENE_IMAGE_MISSING;
	bool decoded = bspscene_image_decode(&image, &pixels, &error) || bspscene_image_decode(&missing, &pixels, &error);
	if (!decoded) Fail(error);
	return EncodePng(pixels);
}

std::string LastPart(const std::string &path)
{
	return path.substr(path.find_last_of('/') + 1);
}

} // namespace

std::string TextureBuilder::FileName(const std::string &words, const char *hint)
{
	std::string name = options_.file_stem + "_";
	for (char c : words) {
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
		name += plain ? c : '_';
	}
	name = name.substr(0, 120);
	std::string unique = name;
	for (unsigned number = 2; !names_.insert(unique).second; number++) unique = name + "_" + std::to_string(number);
	return unique + "." + hint;
}

std::string TextureBuilder::Add(const std::string &words, std::vector<uint8_t> bytes, const char *hint)
{
	auto texture = std::make_unique<aiTexture>();
	bool named = options_.textures == Textures::Named;
	std::string path = named ? FileName(words, hint) : "*" + std::to_string(textures_.size());
	texture->mFilename = named ? Text(path) : Text(words + "." + hint);
	std::strncpy(texture->achFormatHint, hint, sizeof texture->achFormatHint - 1);
	/* A compressed texture has its size in bytes as width, and height 0. aiTexture frees it as an array of texels. */
	size_t texels = (bytes.size() + sizeof(aiTexel) - 1) / sizeof(aiTexel);
	texture->pcData = new aiTexel[texels];
	std::memcpy(static_cast<void *>(texture->pcData), bytes.data(), bytes.size());
	texture->mWidth = static_cast<unsigned>(bytes.size());
	texture->mHeight = 0;
	textures_.push_back(std::move(texture));
	return path;
}

std::string TextureBuilder::AddTexels(const std::string &words, const bspscene_lightmap_page &page)
{
	auto texture = std::make_unique<aiTexture>();
	size_t count = size_t{ page.width } * page.height;
	auto *bytes = static_cast<const uint8_t *>(page.data);
	texture->mFilename = Text(words);
	texture->mWidth = page.width;
	texture->mHeight = page.height;
	texture->pcData = new aiTexel[count];
	for (size_t i = 0; i < count; i++, bytes += 3) {
		aiTexel &texel = texture->pcData[i];
		texel.r = bytes[0];
		texel.g = bytes[1];
		texel.b = bytes[2];
		texel.a = 255;
	}
	textures_.push_back(std::move(texture));
	return "*" + std::to_string(textures_.size() - 1);
}

std::string TextureBuilder::PathOfImage(uint32_t index)
{
	if (index == BSPSCENE_NO_INDEX || options_.textures == Textures::None) return "";
	const bspscene_image &image = *scene_.images[index];
	if (options_.textures == Textures::Paths) {
		return image.path[0] ? options_.image_directory + image.path : options_.image_directory + image.name;
	}
	bool missing = image.format == BSPSCENE_IMAGE_MISSING;
	bool shared = missing && image.is_checkerboard;
	if (!missing && !image.data) return "";
	std::string &path = paths_[shared ? BSPSCENE_NO_INDEX : index];
	if (!path.empty()) return path;
	auto *data = static_cast<const uint8_t *>(image.data);
	std::string words = shared ? "missing" : options_.textures == Textures::Named ? LastPart(image.name) : image.name;
	if (image.format == BSPSCENE_IMAGE_PNG) path = Add(words, { data, data + image.size }, "png");
	else if (image.format == BSPSCENE_IMAGE_JPEG) path = Add(words, { data, data + image.size }, "jpg");
	else path = Add(words, DecodeToPng(image), "png");
	return path;
}

std::string TextureBuilder::PathOfNormals(const bspscene_material &material)
{
	bool as_found = options_.textures == Textures::Paths || options_.textures == Textures::None;
	if (!material.normal_green_down || as_found) return PathOfImage(material.normal_image);
	const bspscene_image &image = *scene_.images[material.normal_image];
	if (!image.data) return "";
	auto [at, is_new] = paths_.try_emplace((uint64_t{ 2 } << 32) + material.normal_image);
	if (!is_new) return at->second;
	std::vector<uint8_t> bytes = DecodeNormalsToPng(image);
	std::string words = options_.textures == Textures::Named ? LastPart(image.name) : image.name;
	if (!bytes.empty()) at->second = Add(words, std::move(bytes), "png");
	return at->second;
}

std::string TextureBuilder::PathOfPage(uint32_t page)
{
	if (page == BSPSCENE_NO_INDEX || !scene_.lightmap_set_count || options_.textures == Textures::None) return "";
	std::string &path = paths_[(uint64_t{ 1 } << 32) + page];
	if (!path.empty()) return path;
	const bspscene_lightmap_page &data = scene_.lightmap_sets[0].pages[page];
	std::string words = "lightmap_" + std::to_string(page);
	if (options_.textures == Textures::Texels && data.format == BSPSCENE_LIGHTMAP_PAGE_RGB8 && data.data) {
		return path = AddTexels(words, data);
	}
	std::vector<uint8_t> bytes;
	bspscene_error error;
	if (!bspscene_write_lightmap_page(&data, Append, &bytes, &error)) Fail(error);
	return path = Add(words, std::move(bytes), "png");
}

std::string TextureBuilder::AddPainted(const std::string &words, uint32_t width, uint32_t height, const uint8_t *rgb,
                                       uint32_t quality)
{
	std::vector<uint8_t> bytes;
	bspscene_error error;
	if (!bspscene_write_jpeg(width, height, rgb, quality, Append, &bytes, &error)) Fail(error);
	return Add(words, std::move(bytes), "jpg");
}

void TextureBuilder::Finish(aiScene &out)
{
	if (textures_.empty()) return;
	out.mTextures = new aiTexture *[textures_.size()]();
	out.mNumTextures = static_cast<unsigned>(textures_.size());
	for (size_t i = 0; i < textures_.size(); i++) out.mTextures[i] = textures_[i].release();
}

} // namespace bspscene
