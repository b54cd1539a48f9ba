/** The types of what the page imports from vendor/ogl.js: OGL, a small library for WebGL. */

type Data = { size: number; data: Float32Array; instanced?: number };
type Uniforms = Record<string, { value: any }>;

export class Renderer {
  constructor(how: Record<string, unknown>);
  readonly gl: WebGL2RenderingContext;
  dpr: number;
  setSize(width: number, height: number): void;
  render(what: { scene: Transform; camera: Camera; sort?: boolean }): void;
}

export class Transform {
  readonly matrix: { set(...numbers: number[]): unknown };
  readonly position: Place;
  readonly scale: Place;
  readonly up: Place;
  matrixAutoUpdate: boolean;
  worldMatrixNeedsUpdate: boolean;
  visible: boolean;
  setParent(parent: Transform | null): void;
  lookAt(place: number[]): void;
}

interface Place {
  set(x: number, y: number, z: number): unknown;
}

export class Camera extends Transform {
  constructor(gl: WebGL2RenderingContext, how: Record<string, number>);
  perspective(how: Record<string, number>): this;
}

export class Geometry {
  constructor(gl: WebGL2RenderingContext, parts: Record<string, Data>);
  readonly attributes: Record<string, { needsUpdate: boolean }>;
  setInstancedCount(n: number): void;
}

export class Texture {
  constructor(gl: WebGL2RenderingContext, how: Record<string, unknown>);
}

export class Program {
  constructor(gl: WebGL2RenderingContext, how: Record<string, unknown>);
  readonly uniforms: Uniforms;
}

export class Mesh extends Transform {
  constructor(gl: WebGL2RenderingContext, how: Record<string, unknown>);
  onBeforeRender(run: () => void): this;
}
