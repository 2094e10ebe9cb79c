//! What ufbx, the reader of Godot and of Blender since 4.5, finds in an FBX, as lines of JSON: ufbx-facts FILE
//! Refuses what is not in order (strict), and says its warnings.

fn number(value: f64) -> String {
    format!("{value:?}")
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
    println!("{{\"what\":\"file\",\"version\":{},\"metres\":{}}}", scene.metadata.version, number(scene.settings.unit_meters));
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
