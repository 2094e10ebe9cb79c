/* products.h - the products of `process` for a map: those that are requested, and those of an earlier result. */
#ifndef CLI_PRODUCTS_H
#define CLI_PRODUCTS_H

#include <jansson.h>

#include "archive/store/process_options.h"

typedef struct cli_products {
	uint32_t steps;                    /* cli_step bits */
	cli_picture_size pictures[CLI_PICTURE_KINDS]; /* sizes for CLI_STEP_PICTURES */
	bool shared_textures;              /* for CLI_STEP_GLB: GLBs refer to pictures in the store */
} cli_products;

/* The steps that share one load of the map; pictures have a load of their own. */
#define CLI_PLAIN_STEPS (CLI_STEP_INFO | CLI_STEP_LIGHTMAPS | CLI_STEP_GLB | CLI_STEP_ENTITIES)
#define CLI_DEFAULT_STEPS (CLI_PLAIN_STEPS | CLI_STEP_PICTURES | CLI_STEP_COMPANIONS)

cli_products cli_products_asked(const cli_args *args);
/* Returns the options that a result was made with. Nothing is set if another version of the program made it. */
cli_products cli_products_of(const json_t *result);
/* Stores the products in a result, for cli_products_of. */
void cli_products_describe(const cli_products *products, json_t *result);

/* True if all wanted plain steps exist with the wanted options. */
bool cli_products_have_plain(const cli_products *there, const cli_products *wanted);
bool cli_products_have_picture(const cli_products *there, const cli_products *wanted, cli_picture_kind kind);
/* True if everything wanted exists. */
bool cli_products_suffice(const cli_products *there, const cli_products *wanted);
/* Adds existing products to the wanted ones. If their options differ, the options of the wanted ones are used. */
void cli_products_add(cli_products *wanted, const cli_products *there);

#endif
