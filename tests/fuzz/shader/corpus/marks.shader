textures/a { { map a } }
textures/b { { map ?a } }
 