/* vmt_reading.h - what a VMT says about a surface, as the neutral material. */
#ifndef BSPI_VMT_READING_H
#define BSPI_VMT_READING_H

#include "materials/vmt/vmt.h"

/* What the editor's %compile keys hide the surface as. */
bspscene_surface_kind bspi_vmt_tool(const bspi_vmt *vmt);
/* Fills what is drawn. `blends`: the surface has weights for a second texture. */
bool bspi_read_vmt(bspi_materials *materials, const bspi_vmt *vmt, bool blends, bspscene_material *out);
/* Fills the layers of a material that has its first two images. vmt_layers.c */
bool bspi_read_vmt_layers(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* The image of the first of these keys that names a file that is there, else NO_INDEX; with `required` that of the
 * first that names a file, which is a missing image when it is not there. vmt_values.c */
bool bspi_find_vmt_image(bspi_materials *materials, const bspi_vmt *vmt, const char *const keys[], bool required,
                         uint32_t *index);
/* Has the image's VTF all these flags? No, where it is none or was not read. vmt_values.c */
bool bspi_vmt_image_has(const bspi_materials *materials, uint32_t index, uint32_t flags);

/* Shaders that share most keys, but not what they make of each. vmt_values.c */
typedef enum bspi_vmt_kind {
	BSPI_VMT_OTHER,
	BSPI_VMT_LIGHTMAPPED,              /* LightmappedGeneric and those that blend textures of the world */
	BSPI_VMT_OF_MODELS                 /* VertexLitGeneric, UnlitGeneric */
} bspi_vmt_kind;

bspi_vmt_kind bspi_kind_of_vmt(const bspi_vmt *vmt);
/* A color as it is shown to linear light, up to 1; what is brighter is taken for linear (the engine's
 * GetLinearVecValue). vmt_values.c */
void bspi_linear_vmt_color(float color[3]);
/* The proxy TextureScroll of a transform: textures per second. vmt_values.c */
void bspi_read_vmt_scroll(const bspi_vmt *vmt, const char *variable, float out[2]);

/* "center .5 .5 scale 1 1 rotate 0 translate 0 0": scaled and turned about the center, then moved. */
typedef struct bspi_vmt_transform {
	float scale[2], offset[2];         /* the center is in the offset */
	float rotation;                    /* radians */
} bspi_vmt_transform;

/* Nothing is changed by a key that is not there, or has numbers beyond all sense. vmt_values.c */
void bspi_read_vmt_transform(const bspi_vmt *vmt, const char *key, bspi_vmt_transform *out);
/* Fills the blend mask and the detail texture. vmt_detail.c */
bool bspi_read_vmt_detail(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Fills the detail texture with the second picture of UnlitTwoTexture. vmt_detail.c */
bool bspi_read_second_picture(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);

/* Fills what is thrown back of single lamps, with load's `reflections`. vmt_gloss.c */
bool bspi_read_vmt_phong(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Fills what is reflected of a material that has its gloss, with load's `reflections`. vmt_reflection.c */
bool bspi_read_vmt_reflection(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Puts the picture that $frame names in place of the base image, unless a proxy counts it up. vmt_frames.c */
bool bspi_pick_vmt_frame(bspi_materials *materials, const bspi_vmt *vmt, bspscene_material *out);
/* Fills the animation of a material that has its base and its emissive image; `mask` as for bspi_add_glow.
 * vmt_frames.c */
bool bspi_read_vmt_animation(bspi_materials *materials, const bspi_vmt *vmt, uint32_t mask, bspscene_material *out);

/* What shines of a texture: its color by its alpha, or by the red of a mask (or NO_INDEX). *index stays as it is when
 * they cannot be decoded. vmt_pictures.c */
bool bspi_add_glow(bspi_materials *materials, uint32_t base, uint32_t mask, uint32_t *index);
/* The picture of light that is packed into image *index, whose alpha is a scale ($hdrcompressedtexture). The same image
 * when it cannot be decoded. vmt_pictures.c */
bool bspi_add_unpacked_light(bspi_materials *materials, uint32_t *index);

#endif
