import { shortened } from "./names.js";

describe("names of clusters", () => {
  it("are the first feature, where it tells them apart", () => {
    expect(
      shortened(["proline high, hue low", "alcohol low, hue low", "alcohol low, ash high", "cluster 3"]),
    ).toEqual(["proline high", "alcohol low, hue low", "alcohol low, ash high", "cluster 3"]);
  });
});
