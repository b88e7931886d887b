// Renders the formulas of an exported page with KaTeX.
document.addEventListener("DOMContentLoaded", () => {
  const delimiters = [
    { left: "$$", right: "$$", display: true },
    { left: "$", right: "$", display: false },
    { left: "\\(", right: "\\)", display: false },
    { left: "\\[", right: "\\]", display: true },
  ];
  for (const name of ["equation", "align", "alignat", "gather"]) {
    for (const star of ["", "*"]) {
      delimiters.push({ left: `\\begin{${name}${star}}`, right: `\\end{${name}${star}}`, display: true });
    }
  }
  const { renderMathInElement } = /** @type {{ renderMathInElement(e: Element, how: object): void }} */ (
    /** @type {unknown} */ (window)
  );
  for (const text of document.querySelectorAll(".jp-RenderedMarkdown, .jp-RenderedLatex")) {
    renderMathInElement(text, { delimiters, throwOnError: false });
  }
});
