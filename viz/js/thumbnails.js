// Thumbnails of samples, in the format of package viz/look: 8 shades, two pixels per character. The
// first characters of all samples come first, then their second characters, and so on.

/** @typedef {{w: number, h: number, count: number, data: string}} Sheet */

const PAIRS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * shades returns the pixels of sample i, from 0 to 255. It returns null if there is no sample i, or
 * if the data have another length, as in damaged or very old notebooks.
 * @param {Sheet} sheet @param {number} i
 */
export function shades(sheet, i) {
  const pixels = sheet.w * sheet.h;
  if (i >= sheet.count || Math.ceil(pixels / 2) * sheet.count !== sheet.data.length) return null;
  const out = new Uint8ClampedArray(pixels);
  for (let p = 0; p < pixels; p++) {
    const two = PAIRS.indexOf(sheet.data[(p >> 1) * sheet.count + i]);
    out[p] = ((p & 1 ? two & 7 : two >> 3) * 255) / 7;
  }
  return out;
}

/**
 * thumbnail returns the image of sample i as a canvas, or null.
 * @param {Sheet} sheet @param {number} i
 */
export function thumbnail(sheet, i) {
  const grey = shades(sheet, i);
  if (!grey) return null;
  const canvas = document.createElement("canvas");
  canvas.width = sheet.w;
  canvas.height = sheet.h;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(sheet.w, sheet.h);
  grey.forEach((v, p) => {
    image.data.set([v, v, v, 255], 4 * p);
  });
  context.putImageData(image, 0, 0);
  return canvas;
}
