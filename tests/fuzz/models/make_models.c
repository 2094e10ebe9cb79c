/* make_models.c - writes a small model of every format as an initial input of fuzz_models. Building the target
 * fuzz_models_corpus runs it. */
#include <stdio.h>
#include <string.h>

#include "support/bspt.h"
#include "support/hostile/input_files.h"
#include "support/models/build_model.h"

static void put_file(bspt_writer *out, const char *ending, bspi_bytes bytes)
{
	bspt_put_name(out, ending, BSPT_INPUT_ENDING);
	bspt_put_u32(out, (uint32_t)bytes.size);
	bspt_put(out, bytes.data, bytes.size);
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	const char *last = "";
	int same = 0;
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		static bspt_writer out;
		char path[1024];
		bspt_model_file file = bspt_build_model(i);
		const char *dot = strrchr(file.path, '.');
		out.size = 0;
		put_file(&out, dot ? dot : "", file.bytes);
		for (uint32_t k = 0; k < file.sibling_count; k++)
			put_file(&out, file.siblings[k].ending, file.siblings[k].bytes);
		bspt_put_u8(&out, 0);
		same = strcmp(last, file.format) ? 0 : same + 1;
		last = file.format;
		char number[16] = "";
		if (same) snprintf(number, sizeof number, "_%d", same);
		snprintf(path, sizeof path, "%s/%s%s", argv[1], file.format, number);
		bspt_write_file(path, out.data, out.size);
	}
	return 0;
}
