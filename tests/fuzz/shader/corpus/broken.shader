textures/a { { map $lightmap
textures/b{
cull none }} garbage /* 
textures/c { { animMap 5 a b c d
 rgbgen wave sin 0 1 0 1 tcmod turb 1 2 3 4
 } {{{{ }
"