// What the scripts keep in the window of a page.

/** A script of outputs: the data that wait for it, and what starts that. */
interface PageScript {
  ids: string[];
  run?: () => void;
}

/** Unpacks a text of at most most bytes. */
type Unpack = (packed: string, most: number) => Promise<string>;

interface Window {
  __ssdrnbScripts?: Record<string, PageScript>;
  /** Starts the widget whose data are given, or have the id. */
  __ssdrnbWidget?: (place: string | HTMLElement) => void;
  /** The script of widgets on its way from the server. */
  __ssdrnbWidgets?: Promise<unknown>;
  __ssdrnbStart?: (id: string, unpack: Unpack) => void;
}
