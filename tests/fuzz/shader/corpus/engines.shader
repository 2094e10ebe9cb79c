textures/fog { surfaceparm fog
 fogparms ( 1 .5 0 ) 300 }
textures/sky { skyparms full 512 -
q3map_sun 1 1 1 100 0 90 }
implicit/a { implicitMask textures/a.tga }
implicit/b { implicitBlend - }
qf { template t a b
 if deluxe
 { map x }
 endif
 { material a b c
 } }