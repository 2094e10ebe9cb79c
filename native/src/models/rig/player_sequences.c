/* player_sequences.c - reads "animation.cfg" next to the three models of a Quake III player. Each line is an
 * animation, in the order of the game's code (bg_public.h): first frame, frame count, looping frames, frames per
 * second. In the file, the frame numbers of the legs continue after those of the torso. But in the model of the legs,
 * the frames of the legs follow directly after those of the deaths. */
#include "models/rig/model_rig.h"

#include <math.h>
#include <stdio.h>

#include "materials/shader/script.h"

enum { BOTH = 1, TORSO = 2, LEGS = 4, FIRST_TORSO = 6, FIRST_LEGS = 13, BEHIND_LEGS = 25, NUMBERS = 4 };

static const struct {
	const char *name;
	uint32_t parts;
} animations[] = {
	{ "BOTH_DEATH1", BOTH },     { "BOTH_DEAD1", BOTH },      { "BOTH_DEATH2", BOTH },
	{ "BOTH_DEAD2", BOTH },      { "BOTH_DEATH3", BOTH },     { "BOTH_DEAD3", BOTH },
	{ "TORSO_GESTURE", TORSO },  { "TORSO_ATTACK", TORSO },   { "TORSO_ATTACK2", TORSO },
	{ "TORSO_DROP", TORSO },     { "TORSO_RAISE", TORSO },    { "TORSO_STAND", TORSO },
	{ "TORSO_STAND2", TORSO },   { "LEGS_WALKCR", LEGS },     { "LEGS_WALK", LEGS },
	{ "LEGS_RUN", LEGS },        { "LEGS_BACK", LEGS },       { "LEGS_SWIM", LEGS },
	{ "LEGS_JUMP", LEGS },       { "LEGS_LAND", LEGS },       { "LEGS_JUMPB", LEGS },
	{ "LEGS_LANDB", LEGS },      { "LEGS_IDLE", LEGS },       { "LEGS_IDLECR", LEGS },
	{ "LEGS_TURN", LEGS },       { "TORSO_GETFLAG", TORSO },  { "TORSO_GUARDBASE", TORSO },
	{ "TORSO_PATROL", TORSO },   { "TORSO_FOLLOWME", TORSO }, { "TORSO_AFFIRMATIVE", TORSO },
	{ "TORSO_NEGATIVE", TORSO },
};
enum { ANIMATIONS = sizeof animations / sizeof *animations };

/* Reads the numbers of each animation. Numbers that the file lacks are 0. */
static void read_numbers(bspi_bytes text, float out[ANIMATIONS][NUMBERS])
{
	bspi_script script = bspi_script_open(text);
	uint32_t found = 0;
	while (found < ANIMATIONS && bspi_script_next(&script)) {
		/* Lines that begin with a word are no animations: "sex m", "headoffset 0 0 0". */
		bool is_number = bspi_text_numbers(script.word, out[found], 1);
		if (is_number) bspi_script_vector(&script, out[found] + 1, NUMBERS - 1);
		if (is_number) found++;
		bspi_script_skip_line(&script);
	}
}

/* Finds the frames of an animation in the model. Returns false if the model does not have them. */
static bool find_range(float numbers[ANIMATIONS][NUMBERS], uint32_t number, uint32_t frame_count, uint32_t *first,
                       uint32_t *count)
{
	float start = numbers[number][0], length = fabsf(numbers[number][1]);
	if (number >= FIRST_LEGS && number < BEHIND_LEGS) start -= numbers[FIRST_LEGS][0] - numbers[FIRST_TORSO][0];
	bool fits = start >= 0 && length >= 1 && start + length <= (float)frame_count;
	*first = fits ? (uint32_t)start : 0;
	*count = fits ? (uint32_t)length : 0;
	return fits;
}

static uint32_t parts_of(const char *path)
{
	const char *name = bspi_last_part(path);
	return bspi_text_starts(name, "lower") ? BOTH | LEGS : bspi_text_starts(name, "upper") ? BOTH | TORSO : 0;
}

static bool open_numbers(bspi_model_reader *reader, bspi_bytes *text, bool *found)
{
	char path[BSPI_PATH_SIZE];
	const char *slash = strrchr(reader->path, '/');
	int length = slash ? (int)(slash + 1 - reader->path) : 0;
	*found = snprintf(path, sizeof path, "%.*sanimation.cfg", length, reader->path) < (int)sizeof path;
	return !*found || bspi_open_part(reader, path, text, found);
}

bool bspi_rig_player(bspi_model_reader *reader, uint32_t frame_count, uint32_t **frames)
{
	float numbers[ANIMATIONS][NUMBERS] = { { 0 } };
	uint32_t parts = parts_of(reader->path), capacity = 0, made = 0;
	bspi_bytes text;
	bool found;
	*frames = NULL;
	if (!parts) return true;
	BSPI_TRY(open_numbers(reader, &text, &found));
	if (!found) return true;
	read_numbers(text, numbers);
	for (uint32_t i = 0; i < ANIMATIONS; i++) {
		uint32_t first, count;
		if (!(animations[i].parts & parts) || !find_range(numbers, i, frame_count, &first, &count)) continue;
		BSPI_TRY(bspi_rig_sequence(reader, animations[i].name, numbers[i][3], numbers[i][2] > 0, count));
		for (uint32_t k = 0; k < count; k++) {
			BSPI_TRY(bspi_reserve(reader->ctx, (void **)frames, made, &capacity, sizeof **frames));
			/* a negative count means that the animation plays backward */
			(*frames)[made++] = first + (numbers[i][1] < 0 ? count - 1 - k : k);
		}
	}
	return true;
}
