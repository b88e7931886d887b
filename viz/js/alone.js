// Panels of many samples in figures that are not linked to other figures.
import { painterOf } from "./crowd.js";

/**
 * crowdAlone replaces the functions of samples.js that link figures.
 * @param {View} view @returns {Chartable}
 */
export function crowdAlone(view) {
  const painter = painterOf(view, {
    lister: () => (name) => view.chart.getModel().getComponent("legend")?.isSelected?.(name) ?? true,
    pointed() {},
    busy: () => false,
  });
  return {
    attach() {
      painter.attach();
      for (const name of ["legendselectchanged", "legendselectall"]) view.chart.on(name, painter.paint);
    },
    mark: painter.paint,
    dispose: painter.dispose,
    width: () => 96,
    first: () => null,
    tools() {},
    settle() {},
  };
}
