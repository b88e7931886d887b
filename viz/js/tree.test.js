import { countsOf, membersOf, steps } from "./tree.js";

describe("the tree of clusters", () => {
  it("has round steps up to its ends", () => {
    expect(steps(178)).toEqual([0, 50, 100, 150]);
    expect(steps(0.43)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(steps(1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(steps(0)).toEqual([0]);
  });
  const tree = (/** @type {number[]} */ ...parents) =>
    /** @type {any} */ (parents.map((parent) => ({ parent })));
  for (const { name, of, nodes, members } of [
    {
      name: "counts the samples of children to their parents",
      of: [1, 2, 0, 2, 3],
      nodes: tree(-1, 0, 0, 2),
      members: [[0, 1, 2, 3, 4], [0], [1, 3, 4], [4]],
    },
    { name: "ends where a damaged tree has no root", of: [1, 7, -1], nodes: tree(1, 0), members: [[0], [0]] },
    { name: "ends at an icicle in itself", of: [0], nodes: tree(0), members: [[0]] },
  ])
    it(name, () => {
      expect(members.map((_, c) => membersOf(c, of, nodes))).toEqual(members);
      expect(countsOf(of.keys(), of, nodes)).toEqual(members.map((m) => m.length));
      expect(countsOf([0], of, nodes)).toEqual(members.map((m) => +m.includes(0)));
    });
  it("holds the largest tree that the schema allows", () => {
    const [n, deep] = [1_000_000, 2000];
    const of = Array(n).fill(deep - 1);
    const nodes = tree(...Array.from({ length: deep }, (_, k) => k - 1));
    expect(countsOf(of.keys(), of, nodes)).toEqual(Array(deep).fill(n));
    expect(membersOf(0, of, nodes).length).toBe(n);
  });
});
