// Renders the formulas of an exported page with KaTeX.
document.addEventListener("DOMContentLoaded", () => {
  const delimiters = [
    { left: "$$", right: "$$", display: true },
    { left: "$", right: "$", display: false },
  ];
  const { renderMathInElement } = /** @type {{ renderMathInElement(e: Element, how: object): void }} */ (
    /** @type {unknown} */ (window)
  );
  for (const cell of document.querySelectorAll(".jp-MarkdownOutput")) {
    renderMathInElement(cell, { delimiters, throwOnError: false });
  }
});
