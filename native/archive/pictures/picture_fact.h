/* picture_fact.h - what the text of a picture's file says of it. */
#ifndef CLI_PICTURE_FACT_H
#define CLI_PICTURE_FACT_H

typedef struct cli_picture_fact {
	const char *keyword;               /* letters, 1 to 79, as PNG has them: "Title" */
	const char *text;                  /* UTF-8 */
} cli_picture_fact;

#endif
