/* gallery_member.h - members of a map's JSON objects, whatever they hold. */
#ifndef CLI_GALLERY_MEMBER_H
#define CLI_GALLERY_MEMBER_H

#include <jansson.h>

/* A member's text, "" where it has none. */
static inline const char *cli_record_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));
	return text ? text : "";
}

/* A member's number, 0 where it has none. */
static inline json_int_t cli_record_number(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

#endif
