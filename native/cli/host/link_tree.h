/* link_tree.h - makes hard links to a file, or to all files of a folder. */
#ifndef CLI_LINK_TREE_H
#define CLI_LINK_TREE_H

#include <stdbool.h>

/* Copies the folders of `from` to `to`, with hard links to its files. Does nothing if `from` does not exist. Skips
 * symbolic links. Returns false if a link cannot be made; some links may exist then. */
bool cli_link_tree(const char *from, const char *to);

#endif
