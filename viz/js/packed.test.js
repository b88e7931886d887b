import { bytesOf, charactersOf, unpack } from "./packed.js";
import { deflated } from "./testing.js";

describe("packed text", () => {
  it("keeps bytes of any length", () => {
    for (let n = 0; n < 60; n++) {
      const bytes = Uint8Array.from({ length: n }, (_, k) => (k * 97 + n * 31) % 256);
      const text = charactersOf(bytes);
      expect(bytesOf(text)).toEqual(bytes);
      expect(text).not.toMatch(/["'<\\]|[^ -~]/);
    }
  });
  it("is unpacked", async () => {
    const text = `${"ä figure ".repeat(1000)}€`;
    expect(await unpack(await deflated(text), 1 << 20)).toBe(text);
  });
  it("ends at the bound", async () => {
    const bomb = await deflated(new Uint8Array(1 << 24));
    await expect(unpack(bomb, 1 << 20)).rejects.toThrow("too long");
  });
  it("refuses what is not packed", async () => {
    for (const text of ["no text", "~~~~~~", '"<\\']) await expect(unpack(text, 1000)).rejects.toThrow();
  });
});
