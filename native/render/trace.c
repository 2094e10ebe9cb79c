/* trace.c - see trace.h. Each instance is one Embree geometry. The triangles of a mesh that several instances share
 * are in an Embree scene of their own, to which these instances refer. A filter function rejects back faces and
 * records translucent hits. So one traversal finds all surfaces that a ray can show. */
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
	RTCScene *shapes; uint32_t first, count; /* if instance first + i is the first one of a shared mesh, shapes[i] is
	                                          * the Embree scene of that mesh; otherwise NULL */
	bspr_memory *memory;
	const bspr_instance *instances;
	const bspr_surface_class *const *classes;
};

/* Context of a traversal. Embree passes its address to the filter. */
typedef struct trace_context {
#if RTC_VERSION_MAJOR >= 4
	struct RTCRayQueryContext base;
#else
	struct RTCIntersectContext base;
#endif
	const bspr_tracer *tracer;
	bspr_hits *hits;
} trace_context;

/* True if hit `a` is sorted after `b`. Coincident hits, which Embree reports in any order, are sorted by instance and
 * triangle. */
static bool is_behind(const bspr_hit *a, const bspr_hit *b)
{
	if (a->distance != b->distance) return a->distance > b->distance;
	uint32_t number_a = a->instance->number, number_b = b->instance->number;
	return number_a != number_b ? number_a > number_b : a->triangle > b->triangle;
}

static void insert(bspr_hits *hits, bspr_hit hit)
{
	uint32_t at = hits->count;
	/* Embree may report a triangle more than once. */
	for (uint32_t i = 0; i < hits->count; i++) {
		if (hits->hits[i].triangle == hit.triangle && hits->hits[i].instance == hit.instance) return;
	}
	if (at == BSPR_MAX_HITS) {
		if (!is_behind(&hits->hits[--at], &hit)) return;
	} else {
		hits->count++;
	}
	for (; at && is_behind(&hits->hits[at - 1], &hit); at--) hits->hits[at] = hits->hits[at - 1];
	hits->hits[at] = hit;
}

/* Offsets of members in Embree's arrays of N rays and N hits. The arrays hold the members of RTCRayN and RTCHitN in
 * order, each for all N. Embree has accessors for them, but only for C++. */
enum {
	RAY_DIRECTION = 4, RAY_TFAR = 8, RAY_ID = 10, HIT_NORMAL = 0, HIT_PRIMITIVE = 5, HIT_GEOMETRY = 6, HIT_INSTANCE = 7
};

static float float_of(const void *arrays, unsigned member, unsigned n, unsigned i)
{
	return ((const float *)arrays)[member * n + i];
}

static unsigned number_of(const void *arrays, unsigned member, unsigned n, unsigned i)
{
	return ((const unsigned *)arrays)[member * n + i];
}

/* Records a hit. Returns true if the ray ends there. */
static bool meet(const bspr_tracer *tracer, bspr_hits *hits, unsigned geometry, unsigned triangle, bool front,
                 float distance)
{
	const bspr_instance *instance = &tracer->instances[geometry];
	uint32_t section = instance->sections[triangle];
	bspr_surface_class class = tracer->classes[geometry][section];
	if (++hits->met >= BSPR_MOST_MET) return true;
	bool turned_away = class.cull == BSPSCENE_CULL_BACK ? !front : class.cull == BSPSCENE_CULL_FRONT && front;
	turned_away = turned_away && !hits->both_sides;
	bool hidden = (instance == hits->part && hits->hidden[triangle]) || (class.sky && hits->no_sky);
	if (class.solidity == BSPR_INVISIBLE || turned_away || hidden) return false;
	insert(hits, (bspr_hit){ instance, instance->mesh->sections[section], triangle, distance });
	return class.solidity == BSPR_SOLID;
}

/* Embree calls this with 1 to 16 rays, one hit for each. The ray's id is its index in context->hits. */
static void filter(const struct RTCFilterFunctionNArguments *arguments)
{
	const trace_context *context = (const trace_context *)arguments->context;
	const void *rays = arguments->ray, *found = arguments->hit;
	unsigned n = arguments->N;
	for (unsigned i = 0; i < n; i++) {
		if (!arguments->valid[i]) continue;
		/* The geometric normal of counter-clockwise triangles points to the front. For instances, normal and ray
		 * direction are in the shape's space. */
		float along = 0;
		for (unsigned k = 0; k < 3; k++) {
			along += float_of(found, HIT_NORMAL + k, n, i) * float_of(rays, RAY_DIRECTION + k, n, i);
		}
		bspr_hits *hits = &context->hits[number_of(rays, RAY_ID, n, i)];
		unsigned instance = number_of(found, HIT_INSTANCE, n, i);
		bool shared = instance != RTC_INVALID_GEOMETRY_ID;
		if (!shared) instance = number_of(found, HIT_GEOMETRY, n, i);
		bool front = shared && context->tracer->instances[instance].mirrored ? along > 0 : along < 0;
		if (!meet(context->tracer, hits, instance, number_of(found, HIT_PRIMITIVE, n, i), front,
		          float_of(rays, RAY_TFAR, n, i))) {
			arguments->valid[i] = 0;
		}
		/* If the ray met too many surfaces, its end is moved before its start. Otherwise Embree would still report all
		 * surfaces that coincide with this one. */
		if (hits->met >= BSPR_MOST_MET) ((float *)arguments->ray)[RAY_TFAR * n + i] = -INFINITY;
	}
}

static bool add_triangles(const bspr_tracer *tracer, RTCScene scene, const bspr_instance *instance, uint32_t id)
{
	RTCGeometry geometry = rtcNewGeometry(tracer->device, RTC_GEOMETRY_TYPE_TRIANGLE);
	if (!geometry) return false;
	const bspscene_mesh *mesh = instance->mesh;
	uint32_t triangles = mesh->index_count / 3;
	/* Embree reads 16 bytes at each vertex, which has 12, so a buffer needs space after the last one. Here Embree
	 * allocates the buffer and adds that space. */
	float *positions = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12,
	                                           mesh->vertex_count);
	uint32_t *indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, triangles);
	if (positions && indices) {
		memcpy(positions, instance->positions, (size_t)mesh->vertex_count * 12);
		memcpy(indices, mesh->indices, (size_t)triangles * 12);
		rtcSetGeometryIntersectFilterFunction(geometry, filter);
		rtcCommitGeometry(geometry);
		rtcAttachGeometryByID(scene, geometry, id);
	}
	rtcReleaseGeometry(geometry);
	return positions && indices;
}

static RTCScene new_scene(const bspr_tracer *tracer)
{
	RTCScene scene = rtcNewScene(tracer->device);
	if (scene) rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
	return scene;
}

/* Adds the triangles of a shape, in a structure that instances refer to. */
static bool add_shape(bspr_tracer *tracer, uint32_t id)
{
	RTCScene *shape = &tracer->shapes[id - tracer->first];
	*shape = new_scene(tracer);
	if (!*shape || !add_triangles(tracer, *shape, &tracer->instances[id], 0)) return false;
	rtcCommitScene(*shape);
	return true;
}

static bool add_instance(bspr_tracer *tracer, uint32_t id)
{
	const bspr_instance *instance = &tracer->instances[id];
	if (!bspr_is_shared(instance)) return add_triangles(tracer, tracer->scene, instance, id);
	if (instance->shape == id && !add_shape(tracer, id)) return false;
	RTCGeometry geometry = rtcNewGeometry(tracer->device, RTC_GEOMETRY_TYPE_INSTANCE);
	if (!geometry) return false;
	rtcSetGeometryInstancedScene(geometry, tracer->shapes[instance->shape - tracer->first]);
	rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR, instance->transform);
	rtcCommitGeometry(geometry);
	rtcAttachGeometryByID(tracer->scene, geometry, id);
	rtcReleaseGeometry(geometry);
	return true;
}

/* Implements Embree's memory monitor, which is called before allocating and after freeing. False aborts the build with
 * an error. */
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
	tracer->scene = tracer->device ? new_scene(tracer) : NULL;
	tracer->first = first;
	tracer->count = count;
	tracer->shapes = bspr_take(&memory->allocator, count, sizeof *tracer->shapes);
	bool ok = tracer->scene && tracer->shapes;
	for (uint32_t i = first; ok && i < first + count; i++) ok = add_instance(tracer, i);
	if (ok) rtcCommitScene(tracer->scene);
	if (ok && rtcGetDeviceError(tracer->device) == RTC_ERROR_NONE) return tracer;
	bspr_tracer_free(tracer);
	return NULL;
}

void bspr_tracer_free(bspr_tracer *tracer)
{
	if (!tracer) return;
	if (tracer->scene) rtcReleaseScene(tracer->scene);
	for (uint32_t i = 0; tracer->shapes && i < tracer->count; i++) {
		if (tracer->shapes[i]) rtcReleaseScene(tracer->shapes[i]);
	}
	bspr_release(&tracer->memory->allocator, tracer->shapes);
	if (tracer->device) rtcReleaseDevice(tracer->device);
	bspr_release(&tracer->memory->allocator, tracer);
}

/* Sets the end of a ray. Drops translucent hits behind the solid one, which may have been recorded before it. */
static void end_at(bspr_hits *hits, bool solid, float distance)
{
	if (solid) hits->end = distance;
	while (hits->count && hits->hits[hits->count - 1].distance > hits->end) hits->count--;
}

void bspr_trace(const bspr_tracer *tracer, const float origin[3], const float direction[3], bspr_hits *hits)
{
	trace_context context = { .tracer = tracer, .hits = hits };
	struct RTCRayHit query = {
		.ray = { .org_x = origin[0], .org_y = origin[1], .org_z = origin[2], .dir_x = direction[0],
		         .dir_y = direction[1],
		         .dir_z = direction[2], .tnear = 0, .tfar = hits->end, .mask = 0xffffffffu },
		.hit = { .geomID = RTC_INVALID_GEOMETRY_ID, .primID = RTC_INVALID_GEOMETRY_ID,
		         .instID = { RTC_INVALID_GEOMETRY_ID } },
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
	end_at(hits, query.hit.geomID != RTC_INVALID_GEOMETRY_ID, query.ray.tfar);
}

/* Number of rays that processors with 256-bit vectors trace at once. Embree splits larger packets. */
enum { AT_ONCE = 8 };

/* Traces up to AT_ONCE rays of a packet. Skips rays that are not wanted. */
static void trace_some(const bspr_tracer *tracer, const float origin[3], const float (*directions)[3],
                       const bool *wanted, uint32_t count, bspr_hits *hits)
{
	trace_context context = { .tracer = tracer, .hits = hits };
	_Alignas(64) struct RTCRayHit8 query;
	_Alignas(64) int valid[AT_ONCE];
	for (uint32_t i = 0; i < AT_ONCE; i++) {
		const float *direction = directions[i < count ? i : 0];
		valid[i] = i < count && wanted[i] ? -1 : 0;
		query.ray.org_x[i] = origin[0];
		query.ray.org_y[i] = origin[1];
		query.ray.org_z[i] = origin[2];
		query.ray.dir_x[i] = direction[0];
		query.ray.dir_y[i] = direction[1];
		query.ray.dir_z[i] = direction[2];
		query.ray.tnear[i] = query.ray.time[i] = 0;
		query.ray.tfar[i] = hits[i < count ? i : 0].end;
		query.ray.mask[i] = 0xffffffffu;
		query.ray.id[i] = i;
		query.ray.flags[i] = 0;
		query.hit.geomID[i] = query.hit.primID[i] = query.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
	}
#if RTC_VERSION_MAJOR >= 4
	rtcInitRayQueryContext(&context.base);
	struct RTCIntersectArguments arguments;
	rtcInitIntersectArguments(&arguments);
	arguments.context = &context.base;
	arguments.flags = RTC_RAY_QUERY_FLAG_COHERENT;
	rtcIntersect8(valid, tracer->scene, &query, &arguments);
#else
	rtcInitIntersectContext(&context.base);
	context.base.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
	rtcIntersect8(valid, tracer->scene, &context.base, &query);
#endif
	for (uint32_t i = 0; i < count; i++) {
		if (valid[i]) end_at(&hits[i], query.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID, query.ray.tfar[i]);
	}
}

void bspr_trace_packet(const bspr_tracer *tracer, const float origin[3], const float (*directions)[3],
                       const bool *wanted, uint32_t count, bspr_hits *hits)
{
	for (uint32_t i = 0; i < count; i += AT_ONCE) {
		uint32_t some = count - i < AT_ONCE ? count - i : AT_ONCE;
		trace_some(tracer, origin, directions + i, wanted + i, some, hits + i);
	}
}
