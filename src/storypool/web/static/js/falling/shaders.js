/**
 * The programs with which the dice and their shadows are drawn. A last statement and its brace are
 * on one line: elsewhere the semicolon between them is not sent.
 */

/** A die: light from above, a soft gloss, bright edges. */
export const DIE = {
  vertex: `
    attribute vec3 position, normal;
    attribute vec2 uv;
    attribute float edge;
    uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
    varying vec3 vNormal, vAt;
    varying vec2 vUv;
    varying float vEdge;
    void main() {
      vec4 at = modelMatrix * vec4(position, 1.0);
      vNormal = mat3(modelMatrix) * normal;
      vAt = at.xyz;
      vUv = uv;
      vEdge = edge;
      gl_Position = projectionMatrix * viewMatrix * at; }`,
  fragment: `
    precision highp float;
    uniform sampler2D print;
    uniform vec3 cameraPosition, body;
    varying vec3 vNormal, vAt;
    varying vec2 vUv;
    varying float vEdge;
    void main() {
      vec3 n = normalize(vNormal);
      vec3 view = normalize(cameraPosition - vAt);
      vec3 light = normalize(vec3(-0.42, 0.34, 0.84));
      vec3 paint = mix(texture2D(print, vUv).rgb, body, step(0.01, vEdge));
      float lit = 0.5 + 0.5 * dot(n, light);
      float sky = 0.5 + 0.5 * n.z;
      vec3 colour = paint * (0.34 * mix(0.55, 1.0, sky) + 0.74 * lit * lit);
      colour *= mix(0.72, 1.0, smoothstep(0.0, 0.9, vAt.z));
      float gloss = pow(max(dot(n, normalize(light + view)), 0.0), 42.0);
      float fringe = pow(1.0 - max(dot(n, view), 0.0), 3.0);
      colour += 0.34 * gloss + fringe * 0.16 * (body + 0.25);
      colour += vEdge * 0.07 * sky;
      gl_FragColor = vec4(colour, 1.0); }`,
};

/** The shadows on the felt, each with a place, a size and a strength; darkest below the middle. */
export const SHADOW = {
  vertex: `
    attribute vec3 position;
    attribute vec4 shade;
    uniform mat4 viewMatrix, projectionMatrix;
    varying vec3 vAt;
    void main() {
      vAt = vec3(position.xy, shade.w);
      vec4 at = vec4(position.xy * shade.z + shade.xy, 0.01, 1.0);
      gl_Position = projectionMatrix * viewMatrix * at; }`,
  fragment: `
    precision mediump float;
    varying vec3 vAt;
    void main() {
      float dark = vAt.z * (1.0 - smoothstep(0.25, 1.0, length(vAt.xy)));
      gl_FragColor = vec4(0.0, 0.0, 0.0, dark); }`,
};
