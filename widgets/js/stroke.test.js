import { Stroke } from "./stroke.js";

describe("a stroke", () => {
  it("of the brush leaves spots at even distances, in whatever steps the pointer comes", () => {
    const whole = new Stroke("brush", 0.1);
    whole.add([0, 0]);
    whole.add([0.5, 0]);
    const parts = new Stroke("brush", 0.1);
    for (let x = 0; x <= 50; x++) {
      parts.add([x / 100, 0]);
    }
    expect(whole.take()).toHaveLength(11);
    const spots = parts.take();
    expect(spots.length).toBeGreaterThan(8);
    for (let k = 1; k < spots.length; k++) {
      expect(spots[k][0] - spots[k - 1][0]).toBeGreaterThanOrEqual(0.05 - 1e-9);
    }
  });
  it("travels in parts that have each spot once", () => {
    const s = new Stroke("brush", 0.1);
    s.add([0, 0]);
    expect(s.take()).toEqual([[0, 0]]);
    expect(s.take()).toEqual([]);
    s.add([0.1, 0]);
    expect(s.take()).toEqual([
      [0.05, 0],
      [0.1, 0],
    ]);
  });
  it("of the eraser goes on from where it was", () => {
    const s = new Stroke("eraser", 0.1);
    s.add([0, 0]);
    s.add([1.4, 0]);
    expect(s.take()).toEqual([
      [0, 0],
      [1.4, 0],
    ]);
    s.add([0.5, 0.5]);
    expect(s.take()).toEqual([
      [1.4, 0],
      [0.5, 0.5],
    ]);
  });
  it("of the spray stays on the canvas and around the pointer", () => {
    const s = new Stroke("spray", 0.3);
    for (let k = 0; k < 50; k++) {
      s.add([0.95, -0.95]);
    }
    for (const [x, y] of s.take()) {
      expect(x).toBeLessThanOrEqual(1);
      expect(y).toBeGreaterThanOrEqual(-1);
      expect(Math.hypot(x - 0.95, y + 0.95)).toBeLessThan(0.302);
    }
  });
  it("has a number that messages take", () => {
    expect(new Stroke("brush", 0.1, () => 0).number).toBe(1);
    expect(Number.isInteger(new Stroke("brush", 0.1).number)).toBe(true);
  });
});
