// Images of the classes of pixels. A character encodes the class of a pixel: "0" for the first
// class, "/" for none.

/**
 * tint returns RGBA pixels in the colours of their classes. Pixels without a class are transparent.
 * @param {string} classes
 * @param {number} pixels
 * @param {string[]} colors of the classes, as #rrggbb
 * @param {number} alpha opacity, from 0 to 255
 */
export function tint(classes, pixels, colors, alpha) {
  const tones = colors.map((color) => {
    const rgb = Number.parseInt(color.slice(1), 16);
    return [rgb >> 16, (rgb >> 8) & 255, rgb & 255, alpha];
  });
  const out = new Uint8ClampedArray(4 * pixels);
  for (let p = 0; p < Math.min(pixels, classes.length); p++) {
    const tone = tones[classes.charCodeAt(p) - 48];
    if (tone) {
      out.set(tone, 4 * p);
    }
  }
  return out;
}

/**
 * layer returns a canvas with the tinted pixels, or null if there are none.
 * @param {string} classes
 * @param {number} width
 * @param {number} height
 * @param {string[]} colors
 * @param {number} alpha
 */
export function layer(classes, width, height, colors, alpha) {
  if (!classes) {
    return null;
  }
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, height);
  image.data.set(tint(classes, width * height, colors, alpha));
  context.putImageData(image, 0, 0);
  return canvas;
}
