// Uses what bindgen makes of bspscene.h: opens a map and prints its meshes' names.
#![allow(dead_code, non_camel_case_types, non_snake_case, non_upper_case_globals)]
mod sys {
	include!(env!("BSPSCENE_BINDINGS"));
}
use std::ffi::{CStr, CString};

fn main() {
	let path = CString::new(std::env::args().nth(1).expect("a map")).unwrap();
	unsafe {
		let mut error: sys::bspscene_error = std::mem::zeroed();
		let mut options: sys::bspscene_open_options = std::mem::zeroed();
		options.struct_size = std::mem::size_of::<sys::bspscene_open_options>() as _;
		let scene = sys::bspscene_open(path.as_ptr(), &options, &mut error);
		if scene.is_null() {
			panic!("{}", CStr::from_ptr(error.message.as_ptr()).to_string_lossy());
		}
		let meshes = std::slice::from_raw_parts((*scene).meshes, (*scene).mesh_count as usize);
		for mesh in meshes {
			println!("{}", CStr::from_ptr((**mesh).name).to_str().unwrap());
		}
		sys::bspscene_scene_free(scene);
	}
}
