// Canvases that follow their box.

/**
 * follow adapts the pixels of a canvas to its box on the screen. The function changed draws on the
 * canvas for a box of a width and height in CSS pixels, and is called whenever these change.
 * @param {HTMLCanvasElement} canvas
 * @param {(width: number, height: number) => void} changed
 * @returns {() => void} ends it
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
 * scaled prepares a canvas for drawing in CSS pixels of its box.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2D} context
 * @param {number} width of the box
 */
export function scaled(canvas, context, width) {
  const f = canvas.width / width;
  context.setTransform(f, 0, 0, f, 0, 0);
}

/**
 * contextOf returns a canvas context that draws by the processor: a graphics card draws thousands
 * of small discs one by one, and takes seconds if it is emulated.
 * @param {HTMLCanvasElement} canvas
 */
export function contextOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
}
