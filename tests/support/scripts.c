/* scripts.c - see scripts.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/scripts.h"

void bspt_script_begin(bspt_scripts *f)
{
	memset(f, 0, sizeof *f);
	f->ctx.file = "test.bsp";
	f->ctx.budget.limit = 256u << 20;
	bspi_begin_memory(&f->ctx);
}

void bspt_script_end(bspt_scripts *f)
{
	bspi_end_memory(&f->ctx);
	assert_int_equal(f->ctx.budget.used, 0);
}

void bspt_script_add(bspt_scripts *f, const char *path, const char *text, size_t size)
{
	assert_true(bspi_index_text(&f->ctx, &f->index, path, bspi_bytes_of(text, size)));
}

const char *bspt_script_warning(const bspt_scripts *f, bspscene_warning_code code)
{
	for (uint32_t i = 0; i < f->ctx.warning_count; i++) {
		if (f->ctx.warnings[i].code == code) return f->ctx.warnings[i].message;
	}
	return "";
}

void bspt_parse_text(bspt_scripts *f, const char *text, size_t size, bspi_shader *out)
{
	bspi_script script = bspi_script_open(bspi_bytes_of(text, size));
	memset(out, 0, sizeof *out);
	assert_true(bspi_parse_shader(&f->ctx, &script, out));
}

void bspt_parse(bspt_scripts *f, const char *text, bspi_shader *out) { bspt_parse_text(f, text, strlen(text), out); }
