/* FbxRepair.h - makes readable what Assimp before 5.3 writes as binary FBX.
 *
 * Its exporter leaves out the record of zeros that ends each list of children (Assimp #4686), so that no reader opens
 * the file. The records are put in, and all offsets behind them moved. */
#ifndef FBX_REPAIR_H
#define FBX_REPAIR_H

#include <vector>

namespace bspscene {

/* Throws ImportError when the bytes are not what that exporter writes. */
std::vector<char> RepairFbx(const std::vector<char> &written);

} // namespace bspscene

#endif
