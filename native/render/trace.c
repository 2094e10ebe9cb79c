/* trace.c - see trace.h. One Embree geometry per instance; a filter turns away what is seen from behind and writes down
 * what is translucent, so that one traversal finds all that a ray can show. */
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef BSPR_EMBREE4
	#include <embree4/rtcore.h>
#else
	#include <embree3/rtcore.h>
#endif

struct bspr_tracer {
	RTCDevice device;
	RTCScene scene;
	bspr_memory *memory;
	const bspr_instance *instances;
	const bspr_surface_class *const *classes;
};

/* What a traversal carries to the filter: Embree hands the context back by its address. */
typedef struct trace_context {
#if RTC_VERSION_MAJOR >= 4
	struct RTCRayQueryContext base;
#else
	struct RTCIntersectContext base;
#endif
	const bspr_tracer *tracer;
	bspr_hits *hits;
} trace_context;

static void insert(bspr_hits *hits, bspr_hit hit)
{
	uint32_t at = hits->count;
	/* Embree may report a triangle more than once. */
	for (uint32_t i = 0; i < hits->count; i++) {
		if (hits->hits[i].triangle == hit.triangle && hits->hits[i].instance == hit.instance) return;
	}
	if (at == BSPR_MAX_HITS) {
		if (hit.distance >= hits->hits[--at].distance) return;
	} else {
		hits->count++;
	}
	for (; at && hits->hits[at - 1].distance > hit.distance; at--) hits->hits[at] = hits->hits[at - 1];
	hits->hits[at] = hit;
}

static void filter(const struct RTCFilterFunctionNArguments *arguments)
{
	const trace_context *context = (const trace_context *)arguments->context;
	const struct RTCRay *ray = (const struct RTCRay *)(void *)arguments->ray;
	const struct RTCHit *hit = (const struct RTCHit *)(void *)arguments->hit;
	const bspr_instance *instance = &context->tracer->instances[hit->geomID];
	context->hits->met++;
	uint32_t section = instance->sections[hit->primID];
	bspr_surface_class class = context->tracer->classes[hit->geomID][section];
	/* The geometric normal of counter-clockwise triangles points to the viewer of the front. */
	bool front = hit->Ng_x * ray->dir_x + hit->Ng_y * ray->dir_y + hit->Ng_z * ray->dir_z < 0;
	bool turned_away = class.cull == BSPSCENE_CULL_BACK ? !front : class.cull == BSPSCENE_CULL_FRONT && front;
	turned_away = turned_away && !context->hits->both_sides;
	bool hidden = instance == context->hits->part && context->hits->hidden[hit->primID];
	if (class.solidity == BSPR_INVISIBLE || turned_away || hidden) {
		arguments->valid[0] = 0;
		return;
	}
	insert(context->hits, (bspr_hit){ ray->tfar, instance, hit->primID, section });
	if (class.solidity == BSPR_TRANSLUCENT) arguments->valid[0] = 0;
}

static bool add_instance(bspr_tracer *tracer, const bspr_instance *instance, uint32_t id)
{
	RTCGeometry geometry = rtcNewGeometry(tracer->device, RTC_GEOMETRY_TYPE_TRIANGLE);
	if (!geometry) return false;
	const bspscene_mesh *mesh = instance->mesh;
	uint32_t triangles = mesh->index_count / 3;
	/* Embree reads 16 bytes at the last vertex: it keeps a padded copy of its own. */
	float *positions = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12,
	                                           mesh->vertex_count);
	uint32_t *indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, triangles);
	if (positions && indices) {
		memcpy(positions, instance->positions, (size_t)mesh->vertex_count * 12);
		memcpy(indices, mesh->indices, (size_t)triangles * 12);
		rtcSetGeometryIntersectFilterFunction(geometry, filter);
		rtcCommitGeometry(geometry);
		rtcAttachGeometryByID(tracer->scene, geometry, id);
	}
	rtcReleaseGeometry(geometry);
	return positions && indices;
}

/* Asked before Embree allocates, told after it has freed; false ends the build with an error. */
static bool account(void *memory, ssize_t size, bool post)
{
	(void)post;
	if (size > 0) return bspr_memory_take(memory, (uint64_t)size);
	bspr_memory_give(memory, (uint64_t)-size);
	return true;
}

bspr_tracer *bspr_tracer_create(bspr_memory *memory, const bspr_instance *instances,
                                const bspr_surface_class *const *classes, uint32_t first, uint32_t count)
{
	bspr_tracer *tracer = bspr_take(&memory->allocator, 1, sizeof *tracer);
	if (!tracer) return NULL;
	tracer->memory = memory;
	tracer->instances = instances;
	tracer->classes = classes;
	tracer->device = rtcNewDevice("threads=1");
	if (tracer->device) rtcSetDeviceMemoryMonitorFunction(tracer->device, account, memory);
	tracer->scene = tracer->device ? rtcNewScene(tracer->device) : NULL;
	bool ok = tracer->scene != NULL;
	if (ok) rtcSetSceneFlags(tracer->scene, RTC_SCENE_FLAG_ROBUST);
	for (uint32_t i = first; ok && i < first + count; i++) ok = add_instance(tracer, &instances[i], i);
	if (ok) rtcCommitScene(tracer->scene);
	if (ok && rtcGetDeviceError(tracer->device) == RTC_ERROR_NONE) return tracer;
	bspr_tracer_free(tracer);
	return NULL;
}

void bspr_tracer_free(bspr_tracer *tracer)
{
	if (!tracer) return;
	if (tracer->scene) rtcReleaseScene(tracer->scene);
	if (tracer->device) rtcReleaseDevice(tracer->device);
	bspr_release(&tracer->memory->allocator, tracer);
}

void bspr_trace(const bspr_tracer *tracer, const float origin[3], const float direction[3], bspr_hits *hits)
{
	trace_context context = { .tracer = tracer, .hits = hits };
	struct RTCRayHit query = {
		.ray = { .org_x = origin[0], .org_y = origin[1], .org_z = origin[2], .dir_x = direction[0],
		         .dir_y = direction[1],
		         .dir_z = direction[2], .tnear = 0, .tfar = hits->end, .mask = 0xffffffffu },
		.hit = { .geomID = RTC_INVALID_GEOMETRY_ID, .primID = RTC_INVALID_GEOMETRY_ID },
	};
#if RTC_VERSION_MAJOR >= 4
	rtcInitRayQueryContext(&context.base);
	struct RTCIntersectArguments arguments;
	rtcInitIntersectArguments(&arguments);
	arguments.context = &context.base;
	rtcIntersect1(tracer->scene, &query, &arguments);
#else
	rtcInitIntersectContext(&context.base);
	rtcIntersect1(tracer->scene, &context.base, &query);
#endif
	/* Translucent surfaces behind the solid one were met before it was. */
	if (query.hit.geomID != RTC_INVALID_GEOMETRY_ID) hits->end = query.ray.tfar;
	while (hits->count && hits->hits[hits->count - 1].distance > hits->end) hits->count--;
}
