/* map_facts.h - reads facts about a map from readmes and game scripts: title, author, date and game modes. */
#ifndef CLI_MAP_FACTS_H
#define CLI_MAP_FACTS_H

#include <jansson.h>
#include <stdbool.h>

enum { CLI_LONGEST_FACT = 200 };       /* bytes */

typedef struct cli_map_facts {
	const char *map;                   /* name by which scripts refer to the map */
	char title[CLI_LONGEST_FACT + 1], author[CLI_LONGEST_FACT + 1], date[CLI_LONGEST_FACT + 1]; /* "": unknown */
	json_t *modes;                     /* array of game modes; the caller releases it */
	bool are_modes_told;               /* true: a more reliable file told the modes, so none are added from other
	                                    * files */
} cli_map_facts;

/* Reads facts from a readme. Does not change facts that were found before. `text` comes from cli_plain_text. */
void cli_read_me_facts(cli_map_facts *facts, const char *text);
/* Reads blocks { key value ... } of .arena files, maps.ufo and others. Uses only blocks that describe the map. */
void cli_script_facts(cli_map_facts *facts, const char *text);
/* Reads .mapinfo files: a key and its value on each line. */
void cli_mapinfo_facts(cli_map_facts *facts, const char *text);

#endif
