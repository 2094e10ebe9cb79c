/* FbxRepair.cpp - see FbxRepair.h. FBX 7.5: a header of 27 bytes, nodes, a footer. A node is the offset of its end, the
 * number and size of its properties (64 bits each), its name with a length byte, the properties, its children. */
#include "FbxRepair.h"

#include <cstdint>
#include <cstring>

#include "BspError.h"

namespace bspscene {
namespace {

constexpr size_t header_size = 27, record_size = 25; /* of the file; of a node without name and properties */
constexpr size_t footer_id_size = 16, version_size = 4, alignment = 16;

uint64_t Read64(const std::vector<char> &bytes, size_t offset)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < 8; i++) value |= uint64_t{ static_cast<uint8_t>(bytes[offset + i]) } << (8 * i);
	return value;
}

void Write64(std::vector<char> &bytes, size_t offset, uint64_t value)
{
	for (unsigned i = 0; i < 8; i++) bytes[offset + i] = static_cast<char>(value >> (8 * i) & 0xFF);
}

struct OpenNode {
	size_t written;  /* where it begins in the output */
	uint64_t end;    /* where it ends in the input */
	bool has_children;
};

[[noreturn]] void Fail()
{
	throw ImportError("Assimp's binary FBX is not of the form that can be repaired; this is a bug");
}

void Close(const OpenNode &node, std::vector<char> &out)
{
	if (node.has_children) out.insert(out.end(), record_size, 0);
	Write64(out, node.written, out.size());
}

/* Bytes of `in` from `from` up to `to`, behind those of `out`. */
void Append(const std::vector<char> &in, size_t from, size_t to, std::vector<char> &out)
{
	auto begin = in.begin();
	out.insert(out.end(), begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to));
}

/* The footer: the record that ends the nodes, an id, zeros up to a multiple of 16 (at least one), and the rest. */
void CopyFooter(const std::vector<char> &in, size_t from, std::vector<char> &out)
{
	size_t after_id = from + record_size + footer_id_size, rest = after_id + version_size;
	if (rest >= in.size()) Fail();
	while (rest < in.size() && !in[rest]) rest++;
	Append(in, from, after_id, out);
	out.insert(out.end(), version_size, 0);
	out.insert(out.end(), alignment - out.size() % alignment, 0);
	Append(in, rest, in.size(), out);
}

} // namespace

std::vector<char> RepairFbx(const std::vector<char> &in)
{
	if (in.size() < header_size + record_size || std::memcmp(in.data(), "Kaydara FBX Binary  ", 21)) Fail();
	std::vector<char> out(in.begin(), in.begin() + header_size);
	out.reserve(in.size() + in.size() / 8);
	std::vector<OpenNode> open;
	for (size_t at = header_size; at + record_size <= in.size();) {
		while (!open.empty() && open.back().end == at) {
			Close(open.back(), out);
			open.pop_back();
		}
		uint64_t end = Read64(in, at), limit = open.empty() ? in.size() : open.back().end;
		if (open.empty() && end == 0) {
			CopyFooter(in, at, out);
			return out;
		}
		uint64_t properties = Read64(in, at + 16), head = record_size + static_cast<uint8_t>(in[at + record_size - 1]);
		if (end > limit || end < at + head || properties > end - at - head) Fail();
		size_t next = at + static_cast<size_t>(head + properties);
		open.push_back({ out.size(), end, next < end });
		Append(in, at, next, out);
		at = next;
	}
	Fail();
}

} // namespace bspscene
