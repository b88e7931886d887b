// Writes the formulas of an exported page, by KaTeX.
document.addEventListener("DOMContentLoaded", function () {
  var marks = [{left: "$$", right: "$$", display: true}, {left: "$", right: "$", display: false}];
  document.querySelectorAll(".jp-MarkdownOutput").forEach(function (cell) {
    window.renderMathInElement(cell, {delimiters: marks, throwOnError: false});
  });
});
