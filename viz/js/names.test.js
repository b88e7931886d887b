import { namesOf, shortened } from "./names.js";
import { join, linked } from "./page.js";
import { Box, body, contents } from "./testpage.js";

describe("names of clusters", () => {
  it("are the first feature, where it tells them apart", () => {
    expect(
      shortened(["proline high, hue low", "alcohol low, hue low", "alcohol low, ash high", "cluster 3"]),
    ).toEqual(["proline high", "alcohol low, hue low", "alcohol low, ash high", "cluster 3"]);
  });
});

describe("names that a reader gives", () => {
  const rest = () => new Promise((go) => setTimeout(go, 0));

  /** figure draws a figure of samples with a fingerprint, and returns functions for its names. */
  function figure(/** @type {string} */ print) {
    const figure = body.appendChild(new Box("div"));
    const [place, ruler] = ["div", "span"].map((tag) => figure.appendChild(new Box(tag)));
    const data = ["alpha, x", "beta, y"].map((text, k) => ({ text, name: text, value: [k, 0] }));
    const view = /** @type {any} */ ({
      data: { dataset: {} },
      figure,
      place,
      ruler,
      link: linked(/** @type {any} */ (figure)),
      payload: {
        option: { series: [{ label: {}, data }] },
        extra: { panels: [{ samples: { print, n: 2, data: "", name: "" } }] },
      },
      chart: {
        on() {},
        setOption() {},
        getWidth: () => 800,
        convertToPixel: (/** @type {unknown} */ _, /** @type {number[]} */ v) => [100 + 400 * v[0], 100],
      },
    });
    namesOf(view).attach();
    join(view);
    return {
      names: () => data.map((d) => d.name),
      rename(/** @type {number} */ k, /** @type {string} */ name) {
        place.fire("dblclick", { clientX: 100 + 400 * k, clientY: 100 });
        const input = /** @type {any} */ (place.children.at(-1));
        input.value = name;
        input.onkeydown({ key: "Enter", stopPropagation() {}, preventDefault() {} });
      },
    };
  }

  it("are those of all figures of the samples, and are all stored", async () => {
    const [a, b, other] = ["00ff", "00ff", "11"].map(figure);
    await rest();
    a.rename(0, "Cats");
    expect(b.names()[0]).toBe("Cats");
    await rest();
    b.rename(1, "Dogs");
    await rest();
    for (const one of [a, b, figure("00ff")]) expect(one.names()).toEqual(["Cats", "Dogs"]);
    expect(other.names()).toEqual(["alpha, x", "beta, y"]);
    expect(contents()).toEqual([
      expect.objectContaining({
        revision: 1,
        fingerprint: "00ff",
        names: [
          ["alpha, x", "Cats"],
          ["beta, y", "Dogs"],
        ],
      }),
    ]);
  });
  it("keep those that were stored before, also before these are read", async () => {
    const content = {
      format: 1,
      revision: 7,
      names: [
        ["alpha, x", "old"],
        ["beta, y", "older"],
      ],
    };
    localStorage.setItem("ssdrnb:/page.html:names-aa", JSON.stringify(content));
    const a = figure("aa");
    a.rename(0, "new");
    await rest();
    expect(a.names()).toEqual(["new", "older"]);
    expect(contents().find((c) => c.fingerprint === "aa")).toMatchObject({
      revision: 8,
      names: [
        ["alpha, x", "new"],
        ["beta, y", "older"],
      ],
    });
  });
  it("of samples without a fingerprint are those of one figure", async () => {
    const [a, b] = ["", ""].map(figure);
    await rest();
    a.rename(0, "Europe");
    await rest();
    expect([a.names()[0], b.names()[0]]).toEqual(["Europe", "alpha, x"]);
  });
  it("are stored if two are given at once, and replace no newer name of another page", async () => {
    const a = figure("cc");
    await rest();
    a.rename(0, "old");
    a.rename(1, "Dogs");
    await rest();
    const stored = () => contents().find((c) => c.fingerprint === "cc");
    const names = (/** @type {string} */ first, /** @type {string} */ second) => [
      ["alpha, x", first],
      ["beta, y", second],
    ];
    expect(stored().names).toEqual(names("old", "Dogs"));
    const newer = { ...stored(), revision: 20, names: names("new", "Dogs") };
    localStorage.setItem("ssdrnb:/page.html:names-cc", JSON.stringify(newer));
    a.rename(1, "Birds");
    await rest();
    expect(stored().names).toEqual(names("new", "Birds"));
  });
});
