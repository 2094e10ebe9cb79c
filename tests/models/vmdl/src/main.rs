//! Prints what vmdl, a reader of Source's models in Rust, finds in a model: vmdl-facts FILE.mdl. The VVD and VTX files
//! must be next to it. The lines are: skin FAMILY SLOT NAME; folder NAME; and for each triangle of the first model of
//! each body part, triangle SLOT, then position, normal and coordinates of three corners as stored, then the positions
//! in vmdl's pose.

use vmdl::vvd::Vertex;
use vmdl::{Mdl, Model, Vector};

/// Returns, for each mesh of the file, whether it belongs to the first model of its body part. Meshes are in order of
/// body parts, then of models.
fn shown(mdl: &Mdl) -> Vec<bool> {
    let mut flags = Vec::new();
    for part in &mdl.body_parts {
        for (number, model) in part.models.iter().enumerate() {
            flags.extend(std::iter::repeat(number == 0).take(model.meshes.len()));
        }
    }
    flags
}

fn put(line: &mut String, place: Vector) {
    *line += &format!(" {} {} {}", place.x, place.y, place.z);
}

fn triangle(model: &Model, slot: i32, corners: &[&Vertex]) -> String {
    let mut line = format!("triangle {slot}");
    for corner in corners {
        put(&mut line, corner.position);
        put(&mut line, corner.normal);
        line += &format!(" {} {}", corner.texture_coordinates[0], corner.texture_coordinates[1]);
    }
    for corner in corners {
        put(&mut line, model.apply_root_transform(corner.position));
    }
    line
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: vmdl-facts FILE.mdl");
    let read = std::fs::read(&path).map_err(vmdl::ModelError::from).and_then(|data| Mdl::read(&data));
    let (mdl, model) = match (read, Model::from_path(&path)) {
        (Ok(mdl), Ok(model)) => (mdl, model),
        (Err(error), _) | (_, Err(error)) => {
            eprintln!("{path}: {error}");
            std::process::exit(1);
        }
    };
    for folder in model.texture_directories() {
        println!("folder {folder}");
    }
    for (family, skin) in model.skin_tables().enumerate() {
        for (slot, name) in (0..).map_while(|slot| skin.texture(slot)).enumerate() {
            println!("skin {family} {slot} {name}");
        }
    }
    for (mesh, is_shown) in model.meshes().zip(shown(&mdl)) {
        if !is_shown {
            continue;
        }
        let corners: Vec<&Vertex> = mesh.vertices().collect();
        for three in corners.chunks_exact(3) {
            println!("{}", triangle(&model, mesh.material_index(), three));
        }
    }
}
