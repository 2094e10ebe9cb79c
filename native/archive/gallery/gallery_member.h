/* gallery_member.h - reads members of JSON objects that may have any type. */
#ifndef CLI_GALLERY_MEMBER_H
#define CLI_GALLERY_MEMBER_H

#include <jansson.h>

/* Returns a member's text, or "" if it is not a text. */
static inline const char *cli_record_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));
	return text ? text : "";
}

/* Returns a member's number, or 0 if it is not an integer. */
static inline json_int_t cli_record_number(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

#endif
