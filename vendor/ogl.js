// All that falling dice take from OGL, in a module of its own: see README.md here.
export { Camera, Geometry, Mesh, Program, Renderer, Texture, Transform } from "ogl";
