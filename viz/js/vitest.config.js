import { defineConfig } from "vitest/config";

// Tests are beside their sources, in two folders. Only this folder has node_modules, so tests use
// describe, it and expect as globals instead of importing them.
export default defineConfig({
  root: "../..",
  cacheDir: "viz/js/node_modules/.vite",
  test: {
    globals: true,
    setupFiles: "viz/js/testpage.js",
    include: ["viz/js/*.test.js", "widgets/js/*.test.js"],
  },
});
