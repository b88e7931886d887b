// Paints density images by WebGL, see density.js. Browsers allow few WebGL contexts, so a page has
// only one, whose image is copied to the canvases of the figures. Positions and colours stay in the
// memory of the graphics card: a frame takes four draw calls and some hundred bytes.
import { covers, STEPS } from "./density.js";
import { loader } from "./loader.js";

/** @typedef {import("./density.js").Unpacked} Unpacked */

const TILE = 32; // pixels whose counts are added up at once, in each direction

// A sample is a point that covers whole pixels, and adds its colour and its weight to them.
const SAMPLE = `#version 300 es
uniform vec4 frame;uniform vec2 size;uniform vec3 covers;uniform int row;uniform sampler2D tones;
in float x,y,of,value,side,weight;flat out vec4 tone;
void main(){
vec2 at=floor(frame.xy+vec2(x,y)*frame.zw);
int j=int(of);
tone=texelFetch(tones,ivec2(j&255,j>>8),0);
bool out_=tone.a<.5||any(lessThan(at,vec2(0)))||any(greaterThanEqual(at,size));
if(value<${STEPS}.)tone=texelFetch(tones,ivec2(int(value)>>8,row),0);
float k=side>0.?clamp(floor(side/covers.y+.5),1.,covers.z):covers.x;
tone=vec4(tone.rgb,1)*weight;
gl_PointSize=k;
gl_Position=vec4(out_?vec2(9):(at-floor((k-1.)/2.)+k/2.)/size*2.-1.,0,1);
}`;
const ADD = `#version 300 es
precision highp float;flat in vec4 tone;out vec4 o;void main(){o=tone;}`;
const ALL = `#version 300 es
void main(){gl_Position=vec4(gl_VertexID==1?3:-1,gl_VertexID==2?3:-1,0,1);}`;
// Sums over a tile of pixels: the total weight, and the number of pixels with samples.
const SUM = `#version 300 es
precision highp float;uniform sampler2D from;uniform ivec2 size;uniform int tile;out vec4 o;
void main(){
ivec2 p=ivec2(gl_FragCoord.xy)*tile,q=min(p+tile,size);
o=vec4(0);
for(int y=p.y;y<q.y;y++)for(int x=p.x;x<q.x;x++){
vec4 s=texelFetch(from,ivec2(x,y),0);
o+=tile==${TILE}?vec4(0,0,s.a>0.,s.a):s;
}}`;
// The opacity of shade in rules.js, with premultiplied colours. Row 0 of a canvas is at the top.
const SHADE = `#version 300 es
precision highp float;uniform sampler2D from,mean;uniform ivec2 size;out vec4 o;
void main(){
vec4 s=texelFetch(from,ivec2(int(gl_FragCoord.x),size.y-1-int(gl_FragCoord.y)),0),m=texelFetch(mean,ivec2(0),0);
float a=s.a<=0.?0.:s.a<1.?.3*sqrt(s.a):min(.3+.7*log(s.a)/log(max(8.*m.a/m.b,2.)),1.);
o=s.a>0.?vec4(s.rgb/s.a*a,a):vec4(0);
}`;

/** @type {import("./crowd.js").Fast} */
export const fast = (u, f, ground) => {
  try {
    if (loader.fast === undefined) loader.fast = made();
    return loader.fast?.(u, f, ground) || null;
  } catch {
    loader.fast = null; // a driver that does not compile the programs
    return null;
  }
};

/**
 * made creates the WebGL context of the page. It returns null if WebGL is missing or emulated on
 * the CPU, where the loops of density.js are faster.
 * @returns {import("./crowd.js").Fast | null}
 */
function made() {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", {
    antialias: false,
    depth: false,
    failIfMajorPerformanceCaveat: true,
  });
  const able = () =>
    context?.getExtension("EXT_color_buffer_float") && context.getExtension("EXT_float_blend");
  if (!context || !able()) return null;
  const gl = context;
  /** @type {ReturnType<typeof begun> | null} */
  let parts = null;
  canvas.addEventListener("webglcontextlost", (e) => {
    e.preventDefault(); // so that it is restored
    parts = null;
  });

  /** @param {string} vertex @param {string} fragment @param {string[]} names of its attributes */
  function program(vertex, fragment, names = []) {
    const p = gl.createProgram();
    for (const [type, text] of /** @type {const} */ ([
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ])) {
      const s = /** @type {WebGLShader} */ (gl.createShader(type));
      gl.shaderSource(s, text);
      gl.compileShader(s);
      gl.attachShader(p, s);
    }
    names.forEach((name, at) => {
      gl.bindAttribLocation(p, at, name);
    });
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(p) || "no program");
    return { p, at: (/** @type {string} */ name) => gl.getUniformLocation(p, name) };
  }
  /** texture makes a texture to draw into. @param {number} w @param {number} h */
  function texture(w, h) {
    const t = gl.createTexture();
    const into = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, t);
    nearest();
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, w, h);
    gl.bindFramebuffer(gl.FRAMEBUFFER, into);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, t, 0);
    return { t, into };
  }
  function nearest() {
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  }
  function begun() {
    able(); // a context that is restored has to be asked again
    const tones = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, tones);
    nearest();
    return {
      sample: program(SAMPLE, ADD, ["x", "y", "of", "value", "side", "weight"]),
      sum: program(ALL, SUM),
      shade: program(ALL, SHADE),
      none: gl.createVertexArray(),
      tones,
      said: new Uint8Array(0), // the tones that the texture has
      counts: texture(1, 1),
      tiles: texture(128, 128),
      mean: texture(1, 1),
      w: 1,
      h: 1,
      /** @type {WeakMap<Unpacked, {list: WebGLVertexArrayObject, constant: number[]}>} */
      panels: new WeakMap(),
    };
  }
  /**
   * uploaded returns the samples of a panel in the memory of the graphics card, and copies them
   * only once.
   * @param {NonNullable<typeof parts>} p @param {Unpacked} u
   */
  function uploaded(p, u) {
    const known = p.panels.get(u);
    if (known) return known;
    const list = gl.createVertexArray();
    const constant = [0, 0, 0, STEPS, u.sizes[0] || 0, u.opacities.length ? u.opacities[0] / 255 : 1];
    gl.bindVertexArray(list);
    [u.x, u.y, u.of, u.values, u.sizes, u.opacities].forEach((numbers, at) => {
      if (!numbers || numbers.length < u.count) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, /** @type {Uint8Array<ArrayBuffer>} */ (numbers), gl.STATIC_DRAW);
      const type = numbers.BYTES_PER_ELEMENT > 1 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_BYTE;
      gl.vertexAttribPointer(at, 1, type, at === 5, 0, 0); // weights are shares
      gl.enableVertexAttribArray(at);
    });
    const made = { list, constant };
    p.panels.set(u, made);
    return made;
  }
  /**
   * pass runs a program on all pixels of a w×h area.
   * @param {NonNullable<typeof parts>["sum"]} by @param {WebGLFramebuffer | null} into @param {number} w @param {number} h
   * @param {WebGLTexture} from @param {number[]} size of from @param {() => void} [more] sets more state
   */
  function pass(by, into, w, h, from, size, more) {
    gl.useProgram(by.p);
    gl.bindFramebuffer(gl.FRAMEBUFFER, into);
    gl.viewport(0, 0, w, h);
    gl.bindTexture(gl.TEXTURE_2D, from);
    gl.uniform2iv(by.at("size"), size);
    more?.();
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  return (u, f, { w, h, tones, row }) => {
    if (gl.isContextLost()) return null;
    parts ??= begun();
    const p = parts;
    if (p.w < w || p.h < h) {
      gl.deleteTexture(p.counts.t);
      gl.deleteFramebuffer(p.counts.into);
      Object.assign(p, { w: Math.max(p.w, w), h: Math.max(p.h, h) });
      p.counts = texture(p.w, p.h);
      Object.assign(canvas, { width: p.w, height: p.h });
    }
    const { list, constant } = uploaded(p, u);
    gl.bindTexture(gl.TEXTURE_2D, p.tones);
    if (p.said.length !== tones.length || p.said.some((v, k) => v !== tones[k])) {
      p.said = tones;
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, row + 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, tones);
    }
    gl.useProgram(p.sample.p);
    gl.bindVertexArray(list);
    constant.forEach((v, at) => {
      gl.vertexAttrib1f(at, v);
    });
    gl.uniform4f(p.sample.at("frame"), f.x, f.y, f.dx, f.dy);
    gl.uniform2f(p.sample.at("size"), w, h);
    gl.uniform3fv(p.sample.at("covers"), covers(u.count));
    gl.uniform1i(p.sample.at("row"), row);
    gl.bindFramebuffer(gl.FRAMEBUFFER, p.counts.into);
    gl.viewport(0, 0, w, h);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.drawArrays(gl.POINTS, 0, u.count);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(p.none);
    const [across, down] = [w, h].map((v) => Math.ceil(v / TILE));
    const tile = (/** @type {number} */ k) => () => gl.uniform1i(p.sum.at("tile"), k);
    pass(p.sum, p.tiles.into, across, down, p.counts.t, [w, h], tile(TILE));
    pass(p.sum, p.mean.into, 1, 1, p.tiles.t, [across, down], tile(128));
    pass(p.shade, null, w, h, p.counts.t, [w, h], () => {
      gl.uniform1i(p.shade.at("mean"), 1);
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, p.mean.t);
      gl.activeTexture(gl.TEXTURE0);
    });
    return { canvas, top: canvas.height - h };
  };
}
