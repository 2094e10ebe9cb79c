/* products.h - the products that `process` makes for a map: those that are requested now, and those that an earlier
 * result has. */
#ifndef CLI_PRODUCTS_H
#define CLI_PRODUCTS_H

#include <jansson.h>

#include "archive/store/process_options.h"

typedef struct cli_products {
	uint32_t steps;                    /* the steps, as cli_step bits */
	cli_picture_size pictures[CLI_PICTURE_KINDS]; /* sizes of the pictures of CLI_STEP_PICTURES */
	bool shared_textures;              /* true: the GLBs refer to pictures that all maps of the store share */
} cli_products;

/* The steps that need only one load of the map. Pictures need another load. */
#define CLI_PLAIN_STEPS (CLI_STEP_INFO | CLI_STEP_LIGHTMAPS | CLI_STEP_GLB | CLI_STEP_ENTITIES)
#define CLI_DEFAULT_STEPS (CLI_PLAIN_STEPS | CLI_STEP_PICTURES | CLI_STEP_COMPANIONS)

cli_products cli_products_asked(const cli_args *args);
/* Returns the products that a result has. Returns no products if another version of the program made the result. */
cli_products cli_products_of(const json_t *result);
/* Writes the products into a result, where cli_products_of reads them. */
void cli_products_describe(const cli_products *products, json_t *result);

/* True if `there` has all wanted plain steps, made with the wanted options. */
bool cli_products_have_plain(const cli_products *there, const cli_products *wanted);
bool cli_products_have_picture(const cli_products *there, const cli_products *wanted, cli_picture_kind kind);
/* True if `there` has everything that is wanted. */
bool cli_products_suffice(const cli_products *there, const cli_products *wanted);
/* Adds the existing products to the wanted ones. If both have a product with different options, the wanted options are
 * used. */
void cli_products_add(cli_products *wanted, const cli_products *there);

#endif
