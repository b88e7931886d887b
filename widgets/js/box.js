// Canvases whose resolution follows their size on the screen.

/**
 * follow adapts the pixels of a canvas to its size on the screen. changed draws at each change. The
 * returned function stops this.
 * @param {HTMLCanvasElement} canvas
 * @param {(width: number, height: number) => void} changed draws; its arguments are CSS pixels
 * @returns {() => void}
 */
export function follow(canvas, changed) {
  const fit = () => {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0 || height === 0) {
      return; // not shown
    }
    const scale = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
    }
    changed(width, height);
  };
  const observer = new ResizeObserver(fit);
  observer.observe(canvas);
  return () => observer.disconnect();
}

/**
 * scaled sets CSS pixels as the unit of drawing on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2D} context
 * @param {number} width of the canvas in CSS pixels
 */
export function scaled(canvas, context, width) {
  const f = canvas.width / width;
  context.setTransform(f, 0, 0, f, 0, 0);
}

/**
 * contextOf returns a canvas context without graphics acceleration: an emulated graphics card takes
 * seconds to draw thousands of small discs.
 * @param {HTMLCanvasElement} canvas
 */
export function contextOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
}
