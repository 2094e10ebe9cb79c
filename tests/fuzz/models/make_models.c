/* make_models.c - the small model of every format as input of fuzz_models: build fuzz_models_corpus. */
#include <stdio.h>
#include <string.h>

#include "support/bspt.h"
#include "support/build_model.h"

enum { ENDING = 8 };

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		static bspt_writer out;
		char path[1024];
		bspt_model_file file = bspt_build_model(i);
		const char *dot = strrchr(file.path, '.');
		out.size = 0;
		bspt_put_name(&out, dot ? dot : "", ENDING);
		bspt_put_u32(&out, (uint32_t)file.bytes.size);
		bspt_put(&out, file.bytes.data, file.bytes.size);
		bspt_put_u8(&out, 0);
		snprintf(path, sizeof path, "%s/%s", argv[1], file.format);
		bspt_write_file(path, out.data, out.size);
	}
	return 0;
}
