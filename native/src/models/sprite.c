/* sprite.c - see sprite.h. A sprite that turns to the viewer becomes two upright quads that cross each other. Any other
 * sprite becomes one quad that faces -X. */
#include "models/sprite.h"

#include "materials/indexed/indexed.h"

enum { VERSION_QUAKE = 1, VERSION_GOLDSRC = 2, VERSION_RGBA = 32, MOST_FRAMES = 1024, MOST_COLORS = 256,
       INTERVAL = 4 };

typedef struct sprite_header {
	int32_t version, turn, blend, frame_count;
} sprite_header;

typedef struct sprite_frame {
	int32_t left, top, width, height;
} sprite_frame;

static const bspi_field plain_rows[] = {
	SKIP("ident", 0, 4), FIELD(sprite_header, version, 4, I32), FIELD(sprite_header, turn, 8, I32),
	SKIP("radius", 12, 4), SKIP("width", 16, 4), SKIP("height", 20, 4), FIELD(sprite_header, frame_count, 24, I32),
	SKIP("beamlength", 28, 4), SKIP("synctype", 32, 4),
};
static const bspi_field goldsrc_rows[] = {
	SKIP("ident", 0, 4), FIELD(sprite_header, version, 4, I32), FIELD(sprite_header, turn, 8, I32),
	FIELD(sprite_header, blend, 12, I32), SKIP("radius", 16, 4), SKIP("width", 20, 4), SKIP("height", 24, 4),
	FIELD(sprite_header, frame_count, 28, I32), SKIP("beamlength", 32, 4), SKIP("synctype", 36, 4),
};
static const bspi_field frame_rows[] = {
	FIELD(sprite_frame, left, 0, I32), FIELD(sprite_frame, top, 4, I32), FIELD(sprite_frame, width, 8, I32),
	FIELD(sprite_frame, height, 12, I32),
};
static const bspi_layout plain_layout = LAYOUT("header", sprite_header, plain_rows, 36);
static const bspi_layout goldsrc_layout = LAYOUT("header", sprite_header, goldsrc_rows, 40);
static const bspi_layout frame_layout = LAYOUT("frames", sprite_frame, frame_rows, 16);
static const bspi_layout *const layouts[] = { &plain_layout, &goldsrc_layout, &frame_layout, NULL };

static bool bid(bspi_bytes file)
{
	if (file.size < 8 || memcmp(file.data, "IDSP", 4) != 0) return false;
	int32_t version = bspi_load_i32(file.data + 4);
	return version == VERSION_QUAKE || version == VERSION_GOLDSRC || version == VERSION_RGBA;
}

static bool take_i32(bspi_model_reader *reader, uint64_t *at, int32_t *out)
{
	bspi_bytes bytes;
	BSPI_TRY(bspi_take_bytes(reader, reader->file, (int64_t)*at, 4, "frames", &bytes));
	*out = bspi_load_i32(bytes.data);
	*at += 4;
	return true;
}

/* Reads the size and the pixels of a frame at *at. Moves *at after them. */
static bool take_frame(bspi_model_reader *reader, uint64_t *at, bspi_sprite *out)
{
	const sprite_frame *frame = bspi_take_records(reader, reader->file, &frame_layout, (int64_t)*at, 1, 1);
	BSPI_TRY(frame);
	int32_t most = (int32_t)BSPI_MODEL_MAX_PICTURE;
	if (frame->width < 1 || frame->height < 1 || frame->width > most || frame->height > most) {
		return bspi_refuse_model(reader, "a frame of %d x %d pixels is not possible", frame->width, frame->height);
	}
	out->left = frame->left;
	out->top = frame->top;
	out->width = (uint32_t)frame->width;
	out->height = (uint32_t)frame->height;
	*at += frame_layout.file_size;
	uint64_t size = (uint64_t)out->width * out->height * (out->rgba ? 4 : 1);
	BSPI_TRY(bspi_take_bytes(reader, reader->file, (int64_t)*at, size, "frames", &out->pixels));
	*at += size;
	return true;
}

/* Reads a frame. If it is a group of images (an animation, or views from eight sides), reads the first one. */
static bool read_frame(bspi_model_reader *reader, uint64_t at, uint32_t wanted, bspi_sprite *out)
{
	for (uint32_t i = 0; i <= wanted; i++) {
		int32_t group, pictures = 1;
		BSPI_TRY(take_i32(reader, &at, &group));
		if (group) {
			BSPI_TRY(take_i32(reader, &at, &pictures));
			if (pictures < 1 || pictures > MOST_FRAMES) {
				return bspi_refuse_model(reader, "frame %u is a group of %d pictures, which is not possible", i,
				                         pictures);
			}
			at += INTERVAL * (uint64_t)pictures;
		}
		BSPI_TRY(take_frame(reader, &at, out));
		for (int32_t k = 1; i < wanted && k < pictures; k++) BSPI_TRY(take_frame(reader, &at, out));
	}
	return true;
}

bool bspi_read_sprite(bspi_model_reader *reader, bspi_sprite *out)
{
	bool goldsrc = bid(reader->file) && bspi_load_i32(reader->file.data + 4) == VERSION_GOLDSRC;
	const bspi_layout *layout = goldsrc ? &goldsrc_layout : &plain_layout;
	const sprite_header *h = bspi_take_records(reader, reader->file, layout, 0, 1, 1);
	BSPI_TRY(h);
	if (h->frame_count < 1 || h->frame_count > MOST_FRAMES) {
		return bspi_refuse_model(reader, "its header claims %d frames, which is not possible", h->frame_count);
	}
	*out = (bspi_sprite){
		.turn = h->turn >= 0 && h->turn <= BSPI_SPRITE_PARALLEL_ORIENTED ? (bspi_sprite_turn)h->turn
		                                                                 : BSPI_SPRITE_PARALLEL,
		.blend = h->blend >= 0 && h->blend <= BSPI_SPRITE_ALPHA_TEST ? (bspi_sprite_blend)h->blend
		                                                             : BSPI_SPRITE_NORMAL,
		.frame_count = (uint32_t)h->frame_count, .rgba = h->version == VERSION_RGBA, .palette = BSPI_NO_BYTES,
	};
	uint64_t at = layout->file_size;
	if (goldsrc) {
		bspi_bytes count;
		BSPI_TRY(bspi_take_bytes(reader, reader->file, (int64_t)at, 2, "palette", &count));
		uint32_t colors = bspi_load_u16(count.data);
		if (colors > MOST_COLORS) return bspi_refuse_model(reader, "a palette of %u colors is not possible", colors);
		at += 2;
		BSPI_TRY(bspi_take_bytes(reader, reader->file, (int64_t)at, 3 * (uint64_t)colors, "palette", &out->palette));
		at += 3 * (uint64_t)colors;
	}
	uint32_t wanted = reader->state.frame < out->frame_count ? reader->state.frame : 0;
	return read_frame(reader, at, wanted, out);
}

/* Adds a quad that faces viewers who look along +X or, if `turned`, along -Y. */
static bool add_quad(bspi_model_reader *reader, const float picture[4], bool turned)
{
	uint32_t first = reader->sections[0].vertex_count;
	for (uint32_t i = 0; i < 4; i++) {
		bool right = i == 1 || i == 2, bottom = i >= 2;
		bspi_model_vertex vertex = { .uv = { right ? 1 : 0, bottom ? 1 : 0 } };
		vertex.position[turned ? 0 : 1] = -picture[0] - (right ? picture[2] : 0);
		vertex.position[2] = picture[1] - (bottom ? picture[3] : 0);
		vertex.normal[turned ? 1 : 0] = turned ? 1 : -1;
		BSPI_TRY(bspi_add_vertex(reader, &vertex));
	}
	return bspi_add_triangle(reader, first, first + 1, first + 2) &&
	       bspi_add_triangle(reader, first, first + 2, first + 3);
}

bool bspi_put_sprite(bspi_model_reader *reader, bspi_sprite_turn turn, const float picture[4])
{
	reader->model.turned_by_view = turn != BSPI_SPRITE_ORIENTED;
	reader->model.turn = turn;
	reader->model.glows = reader->state.sprite_mode == 1 + BSPI_SPRITE_GLOW;
	BSPI_TRY(bspi_begin_section(reader, 0) && add_quad(reader, picture, false));
	return !reader->model.turned_by_view || add_quad(reader, picture, true);
}

/* Returns flags of the material for the entity's render mode. Render modes that are not listed change nothing (xash3d
 * gl_sprite.c R_DrawSpriteModel). */
uint32_t bspi_sprite_flags(const bspi_model_state *state)
{
	uint32_t flags = BSPI_MODEL_BRIGHT | BSPI_MODEL_TWO_SIDED;
	if (!state->sprite_mode) return flags;
	switch (state->sprite_mode - 1) {
	case BSPI_SPRITE_COLORED: case BSPI_SPRITE_BLENDED: case BSPI_SPRITE_SOLID: return flags | BSPI_MODEL_BLENDED;
	case BSPI_SPRITE_GLOW: case BSPI_SPRITE_ADDED: case BSPI_SPRITE_WORLD_GLOW: return flags | BSPI_MODEL_ADDITIVE;
	default: return flags;
	}
}

static uint32_t flags_of(const bspi_model_reader *reader, const bspi_sprite *sprite)
{
	uint32_t flags = bspi_sprite_flags(&reader->state);
	bool by_file = !reader->state.sprite_mode;
	if (by_file && sprite->blend == BSPI_SPRITE_ADDITIVE) flags |= BSPI_MODEL_ADDITIVE;
	if (sprite->blend == BSPI_SPRITE_INDEX_ALPHA) flags |= BSPI_MODEL_INDEX_ALPHA;
	bool holes = !sprite->rgba && (!sprite->palette.size || sprite->blend == BSPI_SPRITE_ALPHA_TEST);
	return holes ? flags | BSPI_MODEL_MASKED : flags;
}

static bool read(bspi_model_reader *reader)
{
	bspi_sprite sprite;
	BSPI_TRY(bspi_read_sprite(reader, &sprite));
	bspi_model_material *material = bspi_push(reader->ctx, &reader->ctx->scratch, bspi_model_material, 1);
	BSPI_TRY(material);
	*material = (bspi_model_material){
		.name = "", .flags = flags_of(reader, &sprite), .pixels = sprite.pixels, .width = sprite.width,
		.height = sprite.height, .rgba = sprite.rgba, .palette = sprite.palette,
	};
	const float picture[4] = { (float)sprite.left, (float)sprite.top, (float)sprite.width, (float)sprite.height };
	return bspi_put_sprite(reader, sprite.turn, picture) && bspi_set_materials(reader, material, 1);
}

const bspi_model_format bspi_model_format_sprite = {
	"sprite", "sprite (IDSP 1, 2, 32: Quake, GoldSrc, DarkPlaces)", bid, read, { layouts }, ".spr",
};
