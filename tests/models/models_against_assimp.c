/* Promise: triangles of models, their bounds and mean positions are those that Assimp's own importers find, in up to
 * five frames.
 *
 *     models_against_assimp VARIABLE LEAST FOLDER*ENDING...
 *
 * The environment variable VARIABLE names the directory with the models. At least LEAST models must be compared.
 *
 * Assimp keeps triangles that name a vertex twice, and rotates its root node. So triangles without area are not
 * counted, and positions are compared in the meshes' own space, or where bones move them in a frame of the first
 * animation. A model whose meshes Assimp leaves NULL counts as unreadable. Assimp reads the frames of MD2 and GoldSrc;
 * of an MD3 it reads the first frame, whichever is requested (5.2). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/mesh.h>
#include <assimp/scene.h>

#include "base/vec.h"
#include "models/model.h"
#include "posed_by_assimp.h"
#include "support/bspt.h"

enum { SKIPPED = 77, MOST_FRAMES = 5 };

typedef struct census {
	bspscene_file_system *files;
	const char *folder;
	uint32_t compared, refused_by_both, assimp_alone_refused, frames;
	bspt_report report;
} census;

typedef struct shape {
	uint64_t triangles;
	bspscene_bounds bounds;
	double middle[3];                  /* mean of the corners of all triangles */
} shape;

static void add_corners(const struct aiVector3D *positions, const struct aiFace *face, shape *out)
{
	float p[3][3];
	if (face->mNumIndices != 3) return;
	const unsigned *corners = face->mIndices;
	if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) return;
	for (int i = 0; i < 3; i++) {
		const struct aiVector3D *v = &positions[corners[i]];
		memcpy(p[i], (float[3]) { v->x, v->y, v->z }, sizeof p[i]);
		bspi_bounds_add(&out->bounds, p[i]);
		for (int k = 0; k < 3; k++) out->middle[k] += (double)p[i][k];
	}
	out->triangles++;
}

/* Imports a model by Assimp from its file in the directory. If that fails, imports `bytes`. */
static const struct aiScene *import_by_assimp(const census *c, const char *path, bspi_bytes bytes, uint32_t frame)
{
	struct aiPropertyStore *wanted = aiCreatePropertyStore();
	char file[1024];
	const char *ending = strrchr(path, '.');
	snprintf(file, sizeof file, "%s/%s", c->folder, path);
	aiSetImportPropertyInteger(wanted, AI_CONFIG_IMPORT_GLOBAL_KEYFRAME, (int)frame);
	const struct aiScene *scene = aiImportFileExWithProperties(file, 0, NULL, wanted);
	if (!scene) {
		scene = aiImportFileFromMemoryWithProperties((const char *)bytes.data, (unsigned)bytes.size, 0,
		                                             ending ? ending + 1 : "", wanted);
	}
	aiReleasePropertyStore(wanted);
	return scene;
}

/* True if Assimp can read this frame of the model. Frame 0 always exists, and MD2 is always tried. */
static bool has_frame(const struct aiScene *scene, const char *path, uint32_t frame)
{
	const char *ending = strrchr(path, '.');
	return !frame || (ending && !strcmp(ending, ".md2")) || frame < bspt_frames_by_assimp(scene);
}

static bool shape_by_assimp(const census *c, const char *path, bspi_bytes bytes, uint32_t frame, shape *out)
{
	const struct aiScene *scene = import_by_assimp(c, path, bytes, frame);
	bool whole = scene != NULL && has_frame(scene, path, frame);
	*out = (shape) { .bounds = BSPI_EMPTY_BOUNDS };
	for (unsigned m = 0; scene && m < scene->mNumMeshes; m++) {
		const struct aiMesh *mesh = scene->mMeshes[m];
		if (!mesh) {
			whole = false;
			continue;
		}
		if (!bspt_shown_by_assimp(scene, m)) continue;
		struct aiVector3D *posed = bspt_pose_by_assimp(scene, mesh, frame);
		for (unsigned i = 0; i < mesh->mNumFaces; i++) add_corners(posed, &mesh->mFaces[i], out);
		free(posed);
	}
	aiReleaseImport(scene);
	return whole;
}

static shape shape_of(const bspi_prop_model *model)
{
	shape out = { .triangles = model->index_count / 3, .bounds = model->bounds };
	for (uint32_t i = 0; i < model->index_count; i++) {
		for (size_t k = 0; k < 3; k++) {
			out.middle[k] += (double)model->positions[3 * (size_t)model->indices[i] + k];
		}
	}
	return out;
}

static bool shape_by_us(const census *c, const char *path, bspi_bytes bytes, uint32_t frame, shape *out, char *why,
                        size_t size)
{
	const bspi_model_state state = { .frame = frame, .sequence = frame ? "0" : NULL };
	bspi_ctx ctx = { .budget.limit = (uint64_t)1 << 30 };
	bspi_prop_model model;
	const char *reason = "";
	ctx.options.open_file = bspscene_file_system_open;
	ctx.options.file_user = c->files;
	bspi_begin_memory(&ctx);
	bool read = bspi_read_model(&ctx, path, bytes, &state, &model, &reason);
	if (read) *out = shape_of(&model);
	snprintf(why, size, "%.200s", ctx.error.status ? ctx.error.message : reason);
	bspi_end_memory(&ctx);
	return read;
}

static bool same_middle(const shape *a, const shape *b)
{
	for (int i = 0; i < 3; i++) {
		if (fabs(a->middle[i] - b->middle[i]) > 1e-3 * (3 * (double)a->triangles)) return false;
	}
	return true;
}

static bool same_bounds(const shape *a, const shape *b)
{
	const float slack = 1e-3f;
	for (int i = 0; a->triangles && i < 3; i++) {
		if (fabsf(a->bounds.min[i] - b->bounds.min[i]) > slack) return false;
		if (fabsf(a->bounds.max[i] - b->bounds.max[i]) > slack) return false;
	}
	return true;
}

/* Compares one frame. Returns false if Assimp does not have this frame. */
static bool compare_frame(census *c, const char *path, bspi_bytes bytes, uint32_t frame)
{
	shape ours, theirs;
	char why[256];
	bool by_assimp = shape_by_assimp(c, path, bytes, frame, &theirs);
	if (!by_assimp && frame) return false;
	bool read = shape_by_us(c, path, bytes, frame, &ours, why, sizeof why);
	if (!by_assimp) {
		c->assimp_alone_refused += read;
		c->refused_by_both += !read;
		return false;
	}
	bspt_context(&c->report, "%.120s, frame %u: ", path, frame);
	BSPT_EXPECT(&c->report, read, "Assimp reads it, we do not: %s", why);
	if (!read) return false;
	c->compared += !frame;
	c->frames++;
	BSPT_EXPECT(&c->report, ours.triangles == theirs.triangles, "%llu triangles, Assimp has %llu",
	            (unsigned long long)ours.triangles, (unsigned long long)theirs.triangles);
	BSPT_EXPECT(&c->report, same_middle(&ours, &theirs), "its middle is elsewhere than Assimp has it");
	BSPT_EXPECT(&c->report, same_bounds(&ours, &theirs), "%g %g %g to %g %g %g, Assimp has %g %g %g to %g %g %g",
	            (double)ours.bounds.min[0], (double)ours.bounds.min[1], (double)ours.bounds.min[2],
	            (double)ours.bounds.max[0], (double)ours.bounds.max[1], (double)ours.bounds.max[2],
	            (double)theirs.bounds.min[0], (double)theirs.bounds.min[1], (double)theirs.bounds.min[2],
	            (double)theirs.bounds.max[0], (double)theirs.bounds.max[1], (double)theirs.bounds.max[2]);
	return true;
}

static void compare(census *c, const char *path, bspi_bytes bytes)
{
	for (uint32_t frame = 0; frame < MOST_FRAMES && compare_frame(c, path, bytes, frame); frame++) {
	}
}

static void found(void *user, const char *path)
{
	census *c = user;
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspscene_file_system_open(c->files, &stream, path, BSPSCENE_FILE_MODEL)) bspt_die("open", path);
	if (stream.data) compare(c, path, bspi_bytes_of(stream.data, (size_t)stream.size));
	else {
		size_t size = (size_t)stream.size, got = 0;
		uint8_t *data = malloc(size + 1);
		if (!data) bspt_die("hold", path);
		for (size_t more = 1; got < size && more && more != SIZE_MAX; got += more) {
			more = stream.read(stream.user, data + got, size - got);
		}
		compare(c, path, bspi_bytes_of(data, got));
		free(data);
	}
	if (stream.close) stream.close(stream.user);
}

/* Tells the leak checker what to ignore: memory that Assimp's importers leak for files that they refuse. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:Assimp::BaseImporter::ReadFile";
}

int main(int argc, char **argv)
{
	const char *folder = argc > 3 ? getenv(argv[1]) : NULL;
	census c = { .folder = folder };
	bspscene_error error;
	if (!folder) {
		printf("skipped: %s names no game directory\n", argc > 1 ? argv[1] : "no variable");
		return SKIPPED;
	}
	c.files = bspscene_file_system_create(NULL);
	if (!c.files || !bspscene_file_system_mount_game(c.files, folder, &error)) bspt_die("mount", folder);
	for (int i = 3; i < argc; i++) {
		char inside[256];
		const char *star = strchr(argv[i], '*');
		if (!star) bspt_die("understand", argv[i]);
		snprintf(inside, sizeof inside, "%.*s", (int)(star - argv[i]), argv[i]);
		bspscene_file_system_list(c.files, inside, star + 1, found, &c);
	}
	bspscene_file_system_free(c.files);
	printf("%u models compared in %u frames, %u that Assimp alone refuses, %u that both refuse, %u differences\n",
	       c.compared, c.frames, c.assimp_alone_refused, c.refused_by_both, c.report.failures);
	bspt_context(&c.report, "%s", "");
	BSPT_EXPECT(&c.report, c.compared >= strtoul(argv[2], NULL, 10), "only %u models could be compared", c.compared);
	bspt_assert_clean(&c.report);
	return 0;
}
