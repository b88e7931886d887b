import { defineConfig } from "vitest/config";

// Tests stand beside their sources, in the folders of figures and of widgets. Only this folder
// has node_modules, so that tests take describe, it and expect as globals.
export default defineConfig({
  root: "../..",
  cacheDir: "viz/js/node_modules/.vite",
  test: {
    globals: true,
    setupFiles: "viz/js/vitest.setup.js",
    include: ["viz/js/*.test.js", "widgets/js/*.test.js"],
  },
});
