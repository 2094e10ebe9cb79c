/* vmt_reading.h - reads VMT files as neutral materials. */
#ifndef BSPI_VMT_READING_H
#define BSPI_VMT_READING_H

#include "materials/vmt/vmt.h"

/* Returns the surface kind set by the compiler's %compile keys. */
bspscene_surface_kind bspi_vmt_tool(const bspi_vmt *vmt);
/* Sets what is drawn. `blends`: the surface has weights for a second texture. */
bool bspi_read_vmt(bspi_materials *materials, const bspi_vmt *vmt, bool blends, bspscene_material *out);
/* Adds the layers of a material whose first two images are set. vmt_layers.c */
bool bspi_read_vmt_layers(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Finds the image of the first key that names an existing file, else NO_INDEX. With `required`, the first key that
 * names a file counts, as a missing image if there is no such file. vmt_values.c */
bool bspi_find_vmt_image(bspi_materials *materials, const bspi_vmt *vmt, const char *const keys[], bool required,
                         uint32_t *index);
/* True if the image is a VTF that was read and has all these flags. vmt_values.c */
bool bspi_vmt_image_has(const bspi_materials *materials, uint32_t index, uint32_t flags);

/* Shaders that share most keys but use them differently. vmt_values.c */
typedef enum bspi_vmt_kind {
	BSPI_VMT_OTHER,
	BSPI_VMT_LIGHTMAPPED,              /* LightmappedGeneric, and shaders that blend textures of the world */
	BSPI_VMT_OF_MODELS                 /* VertexLitGeneric, UnlitGeneric */
} bspi_vmt_kind;

bspi_vmt_kind bspi_kind_of_vmt(const bspi_vmt *vmt);
/* Converts a display color to linear light. Values above 1 are already linear (the engine's GetLinearVecValue).
 * vmt_values.c */
void bspi_linear_vmt_color(float color[3]);
/* Reads the TextureScroll proxy of a transform, in textures per second. vmt_values.c */
void bspi_read_vmt_scroll(const bspi_vmt *vmt, const char *variable, float out[2]);

/* A transform "center .5 .5 scale 1 1 rotate 0 translate 0 0": scale and rotation about the center, then
 * translation. */
typedef struct bspi_vmt_transform {
	float scale[2], offset[2];         /* the offset includes the center */
	float rotation;                    /* radians */
} bspi_vmt_transform;

/* Reads a transform. Missing keys and absurd numbers give the identity. vmt_values.c */
void bspi_read_vmt_transform(const bspi_vmt *vmt, const char *key, bspi_vmt_transform *out);
/* Reads the blend mask and the detail texture. vmt_detail.c */
bool bspi_read_vmt_detail(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Reads the second image of UnlitTwoTexture as detail texture. vmt_detail.c */
bool bspi_read_second_picture(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);

/* Reads highlights of single lamps, if the load option `reflections` is set. vmt_gloss.c */
bool bspi_read_vmt_phong(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Reads light by normal maps of a surface with a lightmap, if the load option `reflections` is set. vmt_bump.c */
bool bspi_read_vmt_bump_light(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Reads reflections of a material whose phong is set, if the load option `reflections` is set. vmt_reflection.c */
bool bspi_read_vmt_reflection(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Replaces the base image by the frame that $frame names, unless a proxy animates it. vmt_frames.c */
bool bspi_pick_vmt_frame(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Reads the animation of a material whose base and emissive image are set; `mask` as for bspi_add_glow. vmt_frames.c */
bool bspi_read_vmt_animation(bspi_materials *materials, const bspi_vmt *vmt, uint32_t mask, bspscene_material *out);

/* Makes the emission of a texture: its color times its alpha, or times a mask's color (mask may be NO_INDEX). *index is
 * not changed if decoding fails. vmt_pictures.c */
bool bspi_add_glow(bspi_materials *materials, uint32_t base, uint32_t mask, uint32_t *index);
/* Replaces *index by an image with its packed light unpacked ($hdrcompressedtexture: alpha is a scale). *index is not
 * changed if decoding fails. vmt_pictures.c */
bool bspi_add_unpacked_light(bspi_materials *materials, uint32_t *index);

#endif
