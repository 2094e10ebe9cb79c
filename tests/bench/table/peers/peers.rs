//! peers.rs - measures the processor time of other readers: `peers ROUNDS READER MAP...` prints each map and the least
//! seconds of the rounds, or -1 if the reader refuses the map. READER is qbsp or goldsrc-rs. qbsp reads maps of Quake and
//! Quake II as meshes with an atlas of lightmaps, as a host would ask for them. goldsrc-rs gives views into the lumps of a
//! map of GoldSrc, of which the faces and vertices are visited.
use std::hint::black_box;

fn processor_seconds() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes one timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

fn read_qbsp(bytes: &[u8]) -> bool {
    use qbsp::mesh::lightmap::{ComputeLightmapSettings, DefaultLightmapPacker, PerStyleLightmapData};
    use qbsp::prelude::*;
    let Ok(map) = BspData::parse(BspParseInput { bsp: bytes, lit: None, settings: Default::default() }) else {
        return false;
    };
    let packer = DefaultLightmapPacker::<PerStyleLightmapData>::new(ComputeLightmapSettings::default());
    let atlas = map.compute_lightmap_atlas(packer).ok();
    for model in 0..map.models.len() {
        black_box(map.mesh_model(model, atlas.as_ref().map(|atlas| &atlas.uvs)));
    }
    black_box(atlas.is_some());
    true
}

fn read_goldsrc(bytes: &[u8]) -> bool {
    let Ok(map) = goldsrc_rs::bsp::level(bytes) else {
        return false;
    };
    let corners: u32 = map.faces.iter().map(|face| u32::from(face.surfedges_num.get())).sum();
    let height: f32 = map.vertices.iter().map(|vertex| vertex[2].get()).sum();
    black_box((corners, height, map.lighting.len()));
    true
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, rounds, reader, maps @ ..] = &arguments[..] else {
        panic!("peers ROUNDS READER MAP...");
    };
    let read: fn(&[u8]) -> bool = match reader.as_str() {
        "qbsp" => read_qbsp,
        "goldsrc-rs" => read_goldsrc,
        _ => panic!("no reader is called {reader}"),
    };
    for map in maps {
        let mut least = f64::MAX;
        for _ in 0..rounds.parse::<u32>().expect("a number of rounds") {
            let start = processor_seconds();
            let done = std::fs::read(map).is_ok_and(|bytes| read(&bytes));
            least = least.min(if done { processor_seconds() - start } else { -1.0 });
        }
        println!("{map}\t{least}");
    }
}
