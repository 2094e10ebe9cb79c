//! Prints what ufbx finds in an FBX, as lines of JSON: ufbx-facts FILE. ufbx is the reader of Godot, and of Blender since
//! 4.5. It reads strictly here, and its warnings are printed.
//! ufbx-facts FILE --poses OUT STACK:SECONDS... writes the corners of all triangles in the world, at these times of these
//! animation stacks. OUT gets the number of triangles in 32 bits, and nine floats for each.

use std::io::Write;

fn number(value: f64) -> String {
    format!("{value:?}")
}

fn transformed(m: &ufbx::Matrix, p: ufbx::Vec3) -> [f32; 3] {
    [(m.m00 * p.x + m.m01 * p.y + m.m02 * p.z + m.m03) as f32,
     (m.m10 * p.x + m.m11 * p.y + m.m12 * p.z + m.m13) as f32,
     (m.m20 * p.x + m.m21 * p.y + m.m22 * p.z + m.m23) as f32]
}

fn corners(scene: &ufbx::Scene) -> Vec<f32> {
    let mut out = Vec::new();
    for mesh in &scene.meshes {
        for node in &mesh.element.instances {
            for &index in &mesh.skinned_position.indices {
                let position = mesh.skinned_position.values[index as usize];
                let plain = [position.x as f32, position.y as f32, position.z as f32];
                out.extend(if mesh.skinned_is_local { transformed(&node.geometry_to_world, position) } else { plain });
            }
        }
    }
    out
}

fn write_poses(scene: &ufbx::Scene, path: &str, poses: std::env::Args) -> std::io::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for pose in poses {
        let (stack, seconds) = pose.split_once(':').expect("STACK:SECONDS");
        let stack = &scene.anim_stacks[stack.parse::<usize>().expect("a number")];
        let seconds = seconds.parse::<f64>().expect("seconds");
        let options = ufbx::EvaluateOpts { evaluate_skinning: true, ..Default::default() };
        let posed = ufbx::evaluate_scene(scene, &stack.anim, seconds, options).expect("a pose");
        let values = corners(&posed);
        file.write_all(&(values.len() as u32 / 9).to_le_bytes())?;
        for value in values {
            file.write_all(&value.to_le_bytes())?;
        }
    }
    file.flush()
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: ufbx-facts FILE");
    let options = ufbx::LoadOpts { strict: true, ..Default::default() };
    let scene = match ufbx::load_file(&path, options) {
        Ok(scene) => scene,
        Err(error) => {
            eprintln!("{path}: {}", error.description.as_ref());
            std::process::exit(1);
        }
    };
    let mut arguments = std::env::args();
    if arguments.nth(2).as_deref() == Some("--poses") {
        let out = arguments.next().expect("a file");
        write_poses(&scene, &out, arguments).expect("a file to write");
        return;
    }
    println!("{{\"what\":\"file\",\"version\":{},\"meters\":{}}}", scene.metadata.version, number(scene.settings.unit_meters));
    for warning in &scene.metadata.warnings {
        println!("{{\"what\":\"warning\",\"text\":{:?}}}", warning.description.as_ref());
    }
    for node in &scene.nodes {
        let mut keys = 0;
        for prop in &node.element.props.props {
            if prop.flags.has_any(ufbx::PropFlags::USER_DEFINED) {
                keys += 1;
            }
        }
        println!("{{\"what\":\"node\",\"name\":{:?},\"keys\":{keys}}}", node.element.name.as_ref());
    }
    for mesh in &scene.meshes {
        let sets: Vec<&str> = mesh.uv_sets.iter().map(|set| set.name.as_ref()).collect();
        println!("{{\"what\":\"mesh\",\"name\":{:?},\"triangles\":{},\"sets\":{sets:?},\"colors\":{},\"instances\":{}}}",
                 mesh.element.name.as_ref(), mesh.num_triangles, mesh.vertex_color.exists, mesh.element.instances.len());
    }
    for material in &scene.materials {
        for texture in &material.textures {
            let file = &texture.texture;
            println!("{{\"what\":\"texture\",\"material\":{:?},\"property\":{:?},\"file\":{:?},\"set\":{:?}}}",
                     material.element.name.as_ref(), texture.material_prop.as_ref(), file.relative_filename.as_ref(),
                     file.uv_set.as_ref());
        }
    }
    for light in &scene.lights {
        println!("{{\"what\":\"light\",\"name\":{:?},\"intensity\":{},\"color\":[{},{},{}],\"decay\":\"{:?}\"}}",
                 light.element.name.as_ref(), number(light.intensity), number(light.color.x), number(light.color.y),
                 number(light.color.z), light.decay);
    }
    for camera in &scene.cameras {
        println!("{{\"what\":\"camera\",\"name\":{:?},\"fov\":[{},{}]}}", camera.element.name.as_ref(),
                 number(camera.field_of_view_deg.x), number(camera.field_of_view_deg.y));
    }
}
