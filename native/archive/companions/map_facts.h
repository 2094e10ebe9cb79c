/* map_facts.h - what read-mes and scripts of games say of a map: how it is called, who made it, when, and what is
 * played in it. */
#ifndef CLI_MAP_FACTS_H
#define CLI_MAP_FACTS_H

#include <jansson.h>
#include <stdbool.h>

enum { CLI_LONGEST_FACT = 200 };       /* bytes */

typedef struct cli_map_facts {
	const char *map;                   /* its name in scripts */
	char title[CLI_LONGEST_FACT + 1], author[CLI_LONGEST_FACT + 1], date[CLI_LONGEST_FACT + 1]; /* "": unknown */
	json_t *modes;                     /* an array of texts; release it */
	bool are_modes_told;               /* by what is believed more: nothing is added */
} cli_map_facts;

/* Facts found earlier stay. `text` comes from cli_plain_text. */
void cli_read_me_facts(cli_map_facts *facts, const char *text);
/* Reads blocks of .arena files, maps.ufo and others, { key value ... }: the map's block counts. */
void cli_script_facts(cli_map_facts *facts, const char *text);
/* Reads .mapinfo files: a key and its value on each line. */
void cli_mapinfo_facts(cli_map_facts *facts, const char *text);

#endif
