/* assimp_hook.cpp - bspscene_assimp_hook_process: replaces every module's reference to Assimp::Importer's constructor
 * by ours, which calls the original and registers the importer.
 *
 * This works because libassimp exports the constructor, and calls it through the PLT too. The relocations of each
 * module tell where its global offset table has the reference (System V ABI, dynamic linking). It is replaced there. */
#include <bspscene/bspscene_assimp.h>

#include "BspImporter.h"

#if defined(__ELF__) && defined(__linux__) && defined(__LP64__)

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace bspscene {
namespace {

using Constructor = void (*)(void *);

constexpr const char *names[] = { "_ZN6Assimp8ImporterC1Ev", "_ZN6Assimp8ImporterC2Ev" };
/* The original constructor. It is set once, before any reference is replaced, and always to the same value. */
Constructor original;

void Construct(void *importer)
{
	original(importer);
	bspscene_assimp_register(importer);
}

struct Module {
	ElfW(Addr) base = 0, read_only_begin = 0, read_only_end = 0;
	const char *strings = nullptr;
	const ElfW(Sym) *symbols = nullptr;
	const ElfW(Rela) *tables[2] = {};
	size_t sizes[2] = {};
};

/* Returns an address from the dynamic section. glibc stores addresses there, but other C libraries store offsets from
 * the module's base. */
ElfW(Addr) Address(const Module &module, ElfW(Addr) value)
{
	return value < module.base ? module.base + value : value;
}

Module ReadModule(const dl_phdr_info &info)
{
	Module module;
	module.base = info.dlpi_addr;
	const ElfW(Dyn) *dynamic = nullptr;
	for (int i = 0; i < info.dlpi_phnum; i++) {
		const ElfW(Phdr) &header = info.dlpi_phdr[i];
		if (header.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn) *>(info.dlpi_addr + header.p_vaddr);
		if (header.p_type != PT_GNU_RELRO) continue;
		module.read_only_begin = info.dlpi_addr + header.p_vaddr;
		module.read_only_end = module.read_only_begin + header.p_memsz;
	}
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
		ElfW(Addr) at = Address(module, dynamic->d_un.d_ptr);
		switch (dynamic->d_tag) {
		case DT_STRTAB: module.strings = reinterpret_cast<const char *>(at); break;
		case DT_SYMTAB: module.symbols = reinterpret_cast<const ElfW(Sym) *>(at); break;
		case DT_RELA: module.tables[0] = reinterpret_cast<const ElfW(Rela) *>(at); break;
		case DT_RELASZ: module.sizes[0] = dynamic->d_un.d_val / sizeof(ElfW(Rela)); break;
		case DT_JMPREL: module.tables[1] = reinterpret_cast<const ElfW(Rela) *>(at); break;
		case DT_PLTRELSZ: module.sizes[1] = dynamic->d_un.d_val / sizeof(ElfW(Rela)); break;
		default: break;
		}
	}
	return module;
}

/* Replaces the reference in an entry of a global offset table. With full RELRO the entry is read-only, so it is made
 * writable for a moment. */
bool Patch(const Module &module, Constructor *slot)
{
	auto address = reinterpret_cast<ElfW(Addr)>(slot);
	auto page = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
	auto *start = reinterpret_cast<void *>(address & ~(page - 1));
	size_t length = (address & (page - 1)) + sizeof *slot;
	if (mprotect(start, length, PROT_READ | PROT_WRITE)) return false;
	*slot = Construct;
	bool was_read_only = address >= module.read_only_begin && address < module.read_only_end;
	if (was_read_only) mprotect(start, length, PROT_READ);
	return true;
}

bool IsConstructor(const Module &module, const ElfW(Rela) &relocation)
{
	size_t index = ELF64_R_SYM(relocation.r_info);
	if (!index || relocation.r_addend) return false;
	const char *name = module.strings + module.symbols[index].st_name;
	return !std::strcmp(name, names[0]) || !std::strcmp(name, names[1]);
}

int HookModule(dl_phdr_info *info, size_t, void *user)
{
	Dl_info self;
	Module module = ReadModule(*info);
	if (!module.strings || !module.symbols) return 0;
	bool is_ours = dladdr(reinterpret_cast<void *>(Construct), &self) &&
	               reinterpret_cast<ElfW(Addr)>(self.dli_fbase) == info->dlpi_addr;
	for (int t = 0; t < 2 && !is_ours; t++) {
		for (size_t i = 0; module.tables[t] && i < module.sizes[t]; i++) {
			const ElfW(Rela) &relocation = module.tables[t][i];
			if (!IsConstructor(module, relocation)) continue;
			auto *reference = reinterpret_cast<Constructor *>(module.base + relocation.r_offset);
			if (Patch(module, reference)) *static_cast<int *>(user) += 1;
		}
	}
	return 0;
}

} // namespace
} // namespace bspscene

bool bspscene_assimp_hook_process(void)
{
	using namespace bspscene;
	void *found = dlsym(RTLD_DEFAULT, names[0]);
	/* If the host loaded libassimp with local scope, dlsym does not find it in the global scope. But this library is
	 * linked with it, so it is loaded. */
	if (!found) {
		void *assimp = dlopen("libassimp.so." BSPSCENE_ASSIMP_SONAME, RTLD_LAZY | RTLD_NOLOAD);
		if (assimp) found = dlsym(assimp, names[0]);
	}
	if (!found) return false;
	if (!original) original = reinterpret_cast<Constructor>(found);
	int slots = 0;
	dl_iterate_phdr(HookModule, &slots);
	return slots > 0;
}

#else

bool bspscene_assimp_hook_process(void)
{
	return false;
}

#endif
