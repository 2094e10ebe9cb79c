// with_bindgen.rs - the five programs in Rust, which use only the declarations that bindgen makes of the C headers:
//     bindgen wrapper.h --size_t-is-usize --allowlist-function 'bspscene_.*' -o bspscene.rs -- -I include
//     BSPSCENE_RS=bspscene.rs rustc --edition 2021 -l bspscene -l bspscene_render with_bindgen.rs
//     with_bindgen textured_glb|atlas_pngs|face_at|own_files|sky_picture ARGUMENT...
// wrapper.h includes <bspscene/bspscene.h> and <bspscene/render.h>.
#![allow(non_camel_case_types, non_upper_case_globals, non_snake_case, dead_code)]
mod bspscene {
    include!(env!("BSPSCENE_RS"));
}
use bspscene::*;
use std::ffi::{c_void, CStr, CString};
use std::io::Read;
use std::os::raw::c_char;
use std::{fs, mem, ptr, slice};

const NO_INDEX: u32 = u32::MAX;

/// A loaded map. It is freed when it is dropped.
struct Scene(*mut bspscene_scene);

impl Scene {
    fn or(scene: *mut bspscene_scene, error: &bspscene_error) -> Result<Scene, String> {
        if scene.is_null() { Err(words(error)) } else { Ok(Scene(scene)) }
    }
    fn open(path: &str, error: &mut bspscene_error) -> Result<Scene, String> {
        Scene::or(unsafe { bspscene_open(text(path).as_ptr(), ptr::null(), error) }, error)
    }
    fn get(&self) -> &bspscene_scene {
        unsafe { &*self.0 }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        unsafe { bspscene_scene_free(self.0) }
    }
}

fn text(words: &str) -> CString {
    CString::new(words).unwrap()
}

fn words(error: &bspscene_error) -> String {
    unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_string_lossy().into_owned()
}

fn done(well: bool, error: &bspscene_error) -> Result<(), String> {
    if well { Ok(()) } else { Err(words(error)) }
}

fn textured_glb(map: &str, out: &str, error: &mut bspscene_error) -> Result<(), String> {
    let scene = Scene::open(map, error)?;
    done(unsafe { bspscene_write_file(scene.0, text(out).as_ptr(), ptr::null(), error) }, error)
}

fn atlas_pngs(map: &str, error: &mut bspscene_error) -> Result<(), String> {
    let loaded = Scene::open(map, error)?;
    let scene = loaded.get();
    for i in 0..if scene.lightmap_set_count > 0 { scene.lightmap_page_count as usize } else { 0 } {
        let page = unsafe { (*scene.lightmap_sets).pages.add(i) };
        let name = text(&format!("page{i}.png"));
        done(unsafe { bspscene_write_lightmap_page_file(page, name.as_ptr(), error) }, error)?;
    }
    let faces = unsafe { slice::from_raw_parts(scene.faces, scene.face_count as usize) };
    for f in faces.iter().filter(|f| f.lightmap_page != NO_INDEX) {
        println!("face {}: page {} at {} {}, {} x {}", f.record, f.lightmap_page, f.lightmap_x, f.lightmap_y,
                 f.lightmap_width, f.lightmap_height);
    }
    Ok(())
}

fn face_at(map: &str, point: [f32; 3], error: &mut bspscene_error) -> Result<(), String> {
    let loaded = Scene::open(map, error)?;
    let mut at: bspscene_surface_point = unsafe { mem::zeroed() };
    at.struct_size = mem::size_of_val(&at) as _;
    if !unsafe { bspscene_face_at(loaded.0, point.as_ptr(), 1024.0, &mut at) } {
        println!("no face is near");
        return Ok(());
    }
    let record = unsafe { (*loaded.get().faces.add(at.face as usize)).record };
    println!("face {}, page {}, luxel {} {}, light {:.3} {:.3} {:.3}", record, at.lightmap_page, at.luxel_x, at.luxel_y,
             at.light[0], at.light[1], at.light[2]);
    Ok(())
}

unsafe extern "C" fn read_file(file: *mut c_void, data: *mut c_void, size: usize) -> usize {
    let buffer = slice::from_raw_parts_mut(data as *mut u8, size);
    (*(file as *mut fs::File)).read(buffer).unwrap_or(usize::MAX)
}

unsafe extern "C" fn close_file(file: *mut c_void) {
    drop(Box::from_raw(file as *mut fs::File));
}

unsafe extern "C" fn open_file(_: *mut c_void, stream: *mut bspscene_stream, path: *const c_char,
                               _: bspscene_file_kind) -> bool {
    let file = match fs::File::open(&*CStr::from_ptr(path).to_string_lossy()) {
        Ok(file) => file,
        Err(_) => return false,
    };
    (*stream).user = Box::into_raw(Box::new(file)) as *mut c_void;
    (*stream).read = Some(read_file);
    (*stream).close = Some(close_file);
    true
}

fn own_files(map: &str, error: &mut bspscene_error) -> Result<(), String> {
    let mut options: bspscene_load_options = unsafe { mem::zeroed() };
    options.struct_size = mem::size_of_val(&options) as _;
    options.open_file = Some(open_file);
    let loaded = Scene::or(unsafe { bspscene_load_file(text(map).as_ptr(), &options, error) }, error)?;
    let counts = unsafe { &*loaded.get().counts };
    println!("{} textures, {} missing", counts.textures_found, counts.textures_missing);
    Ok(())
}

fn sky_picture(map: &str, out: &str, error: &mut bspscene_error) -> Result<(), String> {
    let loaded = Scene::open(map, error)?;
    let mut rgb = vec![0u8; 640 * 480 * 3];
    let mut view: bspscene_view = unsafe { mem::zeroed() };
    view.origin = [0.0, 0.0, 100.0];
    view.pitch = -89.0;
    view.fov_degrees = 90.0;
    unsafe {
        let renderer = bspscene_renderer_create(loaded.0, ptr::null(), error);
        let drawn = !renderer.is_null() && bspscene_render(renderer, &view, ptr::null(), rgb.as_mut_ptr(), error) &&
            bspscene_write_png_file(640, 480, 3, rgb.as_ptr() as *const c_void, text(out).as_ptr(), error);
        bspscene_renderer_free(renderer);
        done(drawn, error)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let a: Vec<&str> = arguments.iter().map(|word| word.as_str()).collect();
    let mut error: bspscene_error = unsafe { mem::zeroed() };
    let result = match a[..] {
        ["textured_glb", map, out] => textured_glb(map, out, &mut error),
        ["atlas_pngs", map] => atlas_pngs(map, &mut error),
        ["face_at", map, x, y, z] => {
            face_at(map, [x, y, z].map(|word| word.parse().unwrap_or(0.0)), &mut error)
        }
        ["own_files", map] => own_files(map, &mut error),
        ["sky_picture", map, out] => sky_picture(map, out, &mut error),
        _ => Err("usage: with_bindgen PROGRAM MAP.bsp ...".to_string()),
    };
    if let Err(message) = result {
        eprintln!("{message}");
        std::process::exit(1);
    }
}
