/* fbx_texture.c - writes pictures as "Texture" and "Video" objects: a texture for each combination of picture and
 * bspi_fbx_placing, a video for each picture. File names, which are in both objects, have no directory: readers search
 * next to the FBX. */
#include "writers/fbx/fbx.h"

static void put_file_names(bspi_fbx *fbx, const char *absolute, const char *relative, const char *file_name)
{
	bspi_fbx_text(&fbx->file, absolute, file_name);
	bspi_fbx_text(&fbx->file, relative, file_name);
}

static int64_t find_video(bspi_fbx *fbx, uint32_t number)
{
	const bspi_set_picture *item = &fbx->pictures.items[number];
	if (fbx->videos[number]) return fbx->videos[number];
	fbx->videos[number] = bspi_fbx_open_object(fbx, BSPI_FBX_VIDEO, item->file_name, "Clip");
	bspi_fbx_text(&fbx->file, "Type", "Clip");
	bspi_fbx_open_properties(fbx);
	bspi_fbx_words(fbx, BSPI_FBX_URL, "Path", item->file_name);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_i32(&fbx->file, "UseMipMap", 0);
	put_file_names(fbx, "Filename", "RelativeFilename", item->file_name);
	if (fbx->writer->options.embed_textures) {
		bspi_fbx_open(&fbx->file, "Content");
		bspi_fbx_add_raw(&fbx->file, item->picture.data, item->picture.size);
		bspi_fbx_close(&fbx->file);
	}
	bspi_fbx_close(&fbx->file);
	return fbx->videos[number];
}

static void put_pair(bspi_fbx *fbx, const char *name, double value)
{
	bspi_fbx_open(&fbx->file, name);
	for (int i = 0; i < 2; i++) bspi_fbx_add_f64(&fbx->file, value);
	bspi_fbx_close(&fbx->file);
}

static int64_t find_texture(bspi_fbx *fbx, uint32_t number, bspi_fbx_placing placing)
{
	static const struct {
		const char *uv_set;
		int32_t wrap;
	} placings[BSPI_FBX_PLACING_COUNT] = {
		[BSPI_FBX_REPEAT] = { "UVMap", 0 },
		[BSPI_FBX_CLAMP] = { "UVMap", 1 },
		[BSPI_FBX_LIGHTMAP] = { "Lightmap", 1 },
	};
	const bspi_set_picture *item = &fbx->pictures.items[number];
	int64_t *texture = &fbx->textures[number][placing];
	if (*texture) return *texture;
	int64_t video = find_video(fbx, number);
	bspi_fbx_file *file = &fbx->file;
	*texture = bspi_fbx_open_object(fbx, BSPI_FBX_TEXTURE, item->file_name, "");
	bspi_fbx_text(file, "Type", "TextureVideoClip");
	bspi_fbx_i32(file, "Version", 202);
	bspi_fbx_open(file, "TextureName");
	bspi_fbx_add_name(file, item->file_name, "Texture");
	bspi_fbx_close(file);
	bspi_fbx_open(file, "Media");
	bspi_fbx_add_name(file, item->file_name, "Video");
	bspi_fbx_close(file);
	put_file_names(fbx, "FileName", "RelativeFilename", item->file_name);
	put_pair(fbx, "ModelUVTranslation", 0);
	put_pair(fbx, "ModelUVScaling", 1);
	bspi_fbx_text(file, "Texture_Alpha_Source", item->picture.transparent ? "Alpha_Black" : "None");
	bspi_fbx_open(file, "Cropping");
	for (int i = 0; i < 4; i++) bspi_fbx_add_i32(file, 0);
	bspi_fbx_close(file);
	bspi_fbx_open_properties(fbx);
	bspi_fbx_words(fbx, BSPI_FBX_TEXT, "UVSet", placings[placing].uv_set);
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "WrapModeU", placings[placing].wrap);
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "WrapModeV", placings[placing].wrap);
	bspi_fbx_integer(fbx, BSPI_FBX_BOOL, "UseMaterial", 1);
	bspi_fbx_close(file);
	bspi_fbx_close(file);
	bspi_fbx_link_to(fbx, video, *texture, NULL);
	return *texture;
}

bool bspi_fbx_image_texture(bspi_fbx *fbx, uint32_t image, bspi_picture_use use, bspi_fbx_placing placing, int64_t *id,
                            bool *transparent)
{
	uint32_t number;
	*id = 0;
	*transparent = false;
	BSPI_TRY(bspi_picture_set_image(&fbx->pictures, image, use, &number));
	if (number == BSPSCENE_NO_INDEX) return true;
	*id = find_texture(fbx, number, placing);
	*transparent = fbx->pictures.items[number].picture.transparent;
	return true;
}

int64_t bspi_fbx_lit_texture(bspi_fbx *fbx, uint32_t sheet)
{
	return find_texture(fbx, fbx->lit_pictures[sheet], BSPI_FBX_CLAMP);
}

bool bspi_fbx_page_texture(bspi_fbx *fbx, uint32_t page, int64_t *id, const bspi_set_picture **picture)
{
	uint32_t number;
	BSPI_TRY(bspi_picture_set_page(&fbx->pictures, page, &number));
	*id = find_texture(fbx, number, BSPI_FBX_LIGHTMAP);
	*picture = &fbx->pictures.items[number];
	return true;
}
