/* words.h - names of the scene's enum values in written files; "unknown" for values that are out of range. */
#ifndef BSPI_WORDS_H
#define BSPI_WORDS_H

#include <bspscene/image.h>
#include <bspscene/material.h>
#include <bspscene/scene.h>

const char *bspi_node_word(bspscene_node_kind kind);
const char *bspi_include_word(bspscene_surface_kind kind);
const char *bspi_lighting_word(bspscene_lighting lighting);
const char *bspi_material_word(bspscene_material_kind kind);
const char *bspi_alpha_word(bspscene_alpha_mode mode);
const char *bspi_detail_word(bspscene_detail_texture_mode mode);
const char *bspi_image_word(bspscene_image_format format);
const char *bspi_page_word(bspscene_lightmap_page_format format);
const char *bspi_page_kind_word(bspscene_lightmap_set_kind kind);
const char *bspi_light_word(bspscene_light_kind kind);
const char *bspi_falloff_word(bspscene_falloff falloff);
const char *bspi_camera_word(bspscene_camera_kind kind);

#endif
