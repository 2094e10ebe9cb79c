/* link_tree.h - a file, or a folder with all that is in it, under a second name. */
#ifndef CLI_LINK_TREE_H
#define CLI_LINK_TREE_H

#include <stdbool.h>

/* Gives the files hard links at `to`, in folders of its own; where there is nothing at `from`, neither is at `to`.
 * False: links cannot be made here, and some may have been. Symbolic links are not followed, nor kept. */
bool cli_link_tree(const char *from, const char *to);

#endif
