/* vmt_reading.h - reads VMT files as neutral materials. */
#ifndef BSPI_VMT_READING_H
#define BSPI_VMT_READING_H

#include "materials/vmt/vmt.h"

/* Returns the surface kind that the material's %compile keys set for the map's compiler. */
bspscene_surface_kind bspi_vmt_tool(const bspi_vmt *vmt);
/* Converts the material's shader and keys. `blends`: the surface has weights for a second texture. */
bool bspi_read_vmt(bspi_materials *materials, const bspi_vmt *vmt, bool blends, bspscene_material *out);
/* Adds the layers to a material whose base image and second image are already set. vmt_layers.c */
bool bspi_read_vmt_layers(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Finds the image of the first of `keys` that names an existing file. With `required`, finds the image of the first
 * key that has a value; if its file is missing, *index is an image with the format MISSING. *index is NO_INDEX if
 * there is no such key. vmt_values.c */
bool bspi_find_vmt_image(bspi_materials *materials, const bspi_vmt *vmt, const char *const keys[], bool required,
                         uint32_t *index);
/* True if the image was read from a VTF file that has all these flags. vmt_values.c */
bool bspi_vmt_image_has(const bspi_materials *materials, uint32_t index, uint32_t flags);

/* Groups of shaders. They have mostly the same keys, but use them differently. */
typedef enum bspi_vmt_kind {
	BSPI_VMT_OTHER,
	BSPI_VMT_LIGHTMAPPED,              /* LightmappedGeneric, and shaders that blend several textures on the world */
	BSPI_VMT_OF_MODELS                 /* VertexLitGeneric, UnlitGeneric */
} bspi_vmt_kind;

bspi_vmt_kind bspi_kind_of_vmt(const bspi_vmt *vmt);
/* Converts a display color to linear light. Values above 1 are already linear (the engine's GetLinearVecValue).
 * vmt_values.c */
void bspi_linear_vmt_color(float color[3]);
/* Reads the speed of the TextureScroll proxy that changes the transform `variable`, in textures per second.
 * vmt_values.c */
void bspi_read_vmt_scroll(const bspi_vmt *vmt, const char *variable, float out[2]);

/* A transform "center .5 .5 scale 1 1 rotate 0 translate 0 0": scale and rotation about the center, then
 * translation. */
typedef struct bspi_vmt_transform {
	float scale[2], offset[2];         /* the offset contains the effect of the center */
	float rotation;                    /* radians */
} bspi_vmt_transform;

/* Reads a transform. A missing key or an absurd number gives the identity. vmt_values.c */
void bspi_read_vmt_transform(const bspi_vmt *vmt, const char *key, bspi_vmt_transform *out);
/* Reads the blend mask and the detail texture. vmt_detail.c */
bool bspi_read_vmt_detail(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Reads the second image of UnlitTwoTexture as a detail texture. vmt_detail.c */
bool bspi_read_second_picture(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);

/* Reads how single lamps make highlights. Does nothing unless the load option `reflections` is set. vmt_gloss.c */
bool bspi_read_vmt_phong(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Reads how a normal map changes the light of a lightmap. Does nothing unless the load option `reflections` is set.
 * vmt_bump.c */
bool bspi_read_vmt_bump_light(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Reads reflections. Call it after the highlights are read. Does nothing unless the load option `reflections` is set.
 * vmt_reflection.c */
bool bspi_read_vmt_reflection(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Replaces the base image by the frame that $frame names. Does nothing if a proxy animates the image. vmt_frames.c */
bool bspi_pick_vmt_frame(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Reads the animation of a material whose base image and emissive image are already set. `mask` is the
 * mask that was passed to bspi_add_glow. vmt_frames.c */
bool bspi_read_vmt_animation(bspi_materials *materials, const bspi_vmt *vmt, uint32_t mask, bspscene_material *out);

/* Makes the emission of a texture: its color times the color of a mask, or times its own alpha if `mask` is NO_INDEX.
 * *index stays as it is if decoding fails. vmt_pictures.c */
bool bspi_add_glow(bspi_materials *materials, uint32_t base, uint32_t mask, uint32_t *index);
/* Replaces the image *index by one in which light is unpacked from 8 bits ($hdrcompressedtexture: alpha scales the
 * color). *index stays as it is if decoding fails. vmt_pictures.c */
bool bspi_add_unpacked_light(bspi_materials *materials, uint32_t *index);

#endif
