/* link_tree.h - hard links to a file, or to all files of a folder. */
#ifndef CLI_LINK_TREE_H
#define CLI_LINK_TREE_H

#include <stdbool.h>

/* Makes hard links to the files of `from` in folders of their own at `to`. Makes nothing if `from` does not exist.
 * Returns false if links are not possible here; some may exist then. Symbolic links are left out. */
bool cli_link_tree(const char *from, const char *to);

#endif
