// What figures are, as package viz/schema describes them in full, and what the scripts keep in the
// window of a page.

/** What kinds of figures need besides the option that Go writes. */
interface Kinds {
  /** What Go marks with "draw" is drawn by these; Go sends the numbers. */
  painters: Record<string, (s: Series, option: Option, extra: Extra) => (params: any, api: any) => any>;
  /** The lines of hover cards, by the kind of figure. */
  cards: Record<string, (p: any, extra: Extra, option: Option) => unknown[]>;
  finish: Record<string, (option: Option, extra: Extra) => void>;
  /** Changes the names of classes or clusters in a series. */
  label?: (s: Series, across: () => number, view?: View) => void;
  /** Adds to the change of an axis of a length in pixels. */
  axis?: (
    axis: any,
    change: any,
    length: number,
    upright: number,
    given: import("./layout.js").Given,
    measure: (text: string, font: string) => number,
  ) => void;
  /** Begins with a new chart. */
  attach?: (view: View, given: import("./layout.js").Given) => void;
  /** A change of the layout and of an axis for a width; null for no change. */
  fit?: (
    payload: Payload,
    width: number,
    measure: (text: string, font: string) => number,
  ) => { layout: Layout; xAxis: object } | null;
}

/** Where the panels of a figure are, see Go's layout. */
interface Layout {
  count: number;
  most: number;
  least: number;
  high: number;
  ratio: number[];
  head: number;
  above: number;
  below: number;
  left: number;
  right: number;
  gap: number;
  legend: number;
  foot?: number;
  kept?: boolean;
  spans?: number[][];
}

/** A series of ECharts, with what tells the painters what to draw. */
interface Series {
  [key: string]: any;
  type: string;
  name: string;
  data: any[];
  draw?: string;
  xAxisIndex?: number;
}

interface Option {
  [key: string]: any;
  series: Series[];
  title: any[];
}

/** What is shown of the samples of a panel besides their places. */
interface Fact {
  name: string;
  at?: number;
  of?: number[];
  names?: string[];
  values?: (number | null)[];
}

/** Samples of a panel that the page paints, in bytes. */
interface Packed {
  count: number;
  x: string;
  y: string;
  of: string;
  from: number[];
  to: number[];
  above: boolean;
  rows?: string;
  values?: string;
  sizes?: string;
  opacities?: string;
  stops: string[];
  range: number[];
}

interface Panel {
  labelled: string;
  sheet: number;
  samples: { name: string; n: number; data: string; print: string; code?: string };
  of?: number[];
  names: string[];
  facts?: Fact[];
  many?: Packed;
  contrast?: number;
  places?: number;
  known?: string;
}

interface Sheet {
  w: number;
  h: number;
  count: number;
  data: string;
}

interface Extra {
  [key: string]: any;
  panels?: (Panel | null)[];
  sheets: Sheet[];
  legend: string;
  many?: boolean;
  contrasts?: { columns: any[]; centers: number[]; image?: [number, number]; pixels?: number[] }[];
  places?: { dims: number; unit: number; of: string }[];
  short?: [string, string][];
  grades?: { name: string; names: string[]; values: number[]; range: number[] }[];
}

/** The data of a chart. */
interface Payload {
  [key: string]: any;
  kind: string;
  gl: boolean;
  option: Option;
  extra: Extra;
  layout: Layout;
  height: number;
  dressed?: boolean;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where everything is at a width. */
interface Arranged {
  option: { [key: string]: any; grid: Box[] };
  height: number;
  near: number[];
  lines: number;
}

/** A sample of a panel. */
interface Spot {
  i: number;
  v: any[];
  name: string;
  series: number;
  at: number;
  ring: boolean;
  fill?: string;
  symbol?: string;
  size?: number;
}

/** The samples of a panel. */
interface PanelSamples {
  count: number;
  from: number[];
  to: number[];
  of(i: number): Spot | undefined;
  each(f: (s: Spot) => void): void;
  seek?(score: Score): number;
}

/** The samples of a panel, and their places in pixels. */
interface Spots extends PanelSamples {
  key: string;
  box: Box;
  frame?(): void;
  place(s: Spot): number[];
}

type Score = (x: number, y: number, row: number) => number;

/** What a figure is to the others of its page. */
interface Link {
  figure: HTMLElement;
  ring(key: string, i: number, from?: HTMLElement, k?: number): void;
  change(key: string, from: HTMLElement): void;
  entry(about: string, name: string, on: boolean): void;
  clear(): boolean;
  key?(e: KeyboardEvent): boolean;
  renew?(): void;
}

/** A chart that is to be made. */
interface Job {
  near: boolean;
  width: number;
  gl?: boolean;
  held?: boolean;
  begin(): Generator<Promise<unknown> | undefined>;
  steps?: Generator<Promise<unknown> | undefined> | null;
}

/** What figures of a page share, also of several versions of the scripts. */
interface Loader {
  ready: Record<string, boolean>;
  paper?: boolean;
  canvas?: HTMLCanvasElement;
  sheet?: HTMLElement;
  focus?: HTMLElement;
  charts?: Promise<unknown>;
  gl?: Promise<unknown>;
  queue?: { jobs: Job[]; wake(): void; drop(j: Job): void; put(j: Job): void };
  samples?: Shared;
  /** What paints by WebGL, null where it cannot. */
  fast?: import("./crowd.js").Fast | null;
}

interface Shared {
  figures: Link[];
  chosen: Record<string, number[]>;
  off: Record<string, Record<string, boolean>>;
  keys?: boolean;
  escape?: boolean;
  helps?: number;
  scheme?(paper: boolean | undefined): void;
}

/** A figure: a chart, or a picture whose samples are linked. */
interface View {
  data: HTMLScriptElement;
  figure: HTMLElement;
  payload: Payload;
  /** The chart of ECharts, or what stands in for it; null until it is made. */
  chart: any;
  place: HTMLElement;
  /** Stands behind the chart; tables are inserted before it. */
  ruler: HTMLElement;
  known: number;
  link: Link;
  arrange(): Arranged;
}

/** What is done with panels of many samples, which ECharts does not draw. */
interface Crowd {
  of(k: number): PanelSamples | null;
  tip(k: number, i: number): boolean;
  attach(): void;
  paint(): void;
  dispose(): void;
}

/** What a chart does with its samples. */
interface Chartable {
  attach(): void;
  dispose(): void;
  /** Finds the places of the samples anew. */
  settle(): void;
  join(): void;
  mark(): void;
  /** Adds the buttons that select and follow; width is that of all buttons. */
  tools(bar: HTMLElement): void;
  width(): number;
  /** The first table below the chart. */
  first(): HTMLElement | null;
  keys?: SampleKeys;
}

/** The samples of a view, and what readers do with them. */
/** Samples of different panels that are the same. */
interface Known {
  /** Whether the samples of a panel have numbers. */
  has(k: number): boolean;
  /** The samples of panel j that are sample i of panel k. */
  same(k: number, i: number, j: number): number[];
}

interface Linked extends Chartable {
  attached(): boolean;
  read(): Spots[];
  scheme(): void;
  unring(): void;
  /** Forgets how ECharts draws the series. */
  unlook(): void;
  choose(key: string, rows: number[] | null): void;
  /** Tells all figures which sample the pointer is on, −1 for none. */
  point(key: string, i: number, k?: number): void;
  selected(k: number): string;
  /** Where a sample of a panel is seen, or null. */
  sight(p: Spots, i: number): number[] | null;
  /** Whether the legend shows a name. */
  listed(name: string): boolean;
  lister(): (name: string) => boolean;
  dot(c: CanvasRenderingContext2D, s: Spot, q: number[], alpha: number, fill?: string): void;
  tool(): string;
  keysOf(): string[];
  /** Whether an attribute tells which samples of a panel are those of others. */
  known(k: number): boolean;
  /** The samples of panel j that are sample i of panel k. */
  same(k: number, i: number, j: number): number[];
}

/** Keys of a figure that are about samples. */
interface SampleKeys {
  hint(): string;
  speak(e: HTMLElement): void;
  focus(): void;
  again(): void;
  hide(): void;
  moved(yes: boolean): void;
  spot(): { place: number[] | null; box: Box } | null;
  /** Puts the card of the cursor back, after ECharts has shown that of what lies uppermost. */
  shown(e: any): void;
  /** Does what a key says, and tells whether it says something. */
  act(e: KeyboardEvent, way: number[] | undefined): boolean;
  /** Ends the sample or the selection, and tells whether there was one. */
  leave(): boolean;
}

/** A script of outputs: the data that wait for it, and what starts that. */
interface PageScript {
  ids: string[];
  run?: () => void;
}

/** Unpacks a text, of at most most bytes where others have written it. */
type Unpack = (packed: string, most?: number) => Promise<string>;

/** Runs a script for the data with an id. */
type Start = (id: string, unpack: Unpack) => void;

interface Window {
  echarts?: any;
  define?: unknown;
  __ssdrnbInlineGL?: boolean;
  __ssdrnbLoader?: Loader;
  __ssdrnbScripts?: Record<string, PageScript>;
  /** That of the script which an output has brought last, and of all figures. */
  __ssdrnbStart?: Start;
  __ssdrnbFigures?: Start;
  /** Starts the widget whose data are given, or have the id. */
  __ssdrnbWidget?: (place: string | HTMLElement) => void;
  /** The script of widgets on its way from the server. */
  __ssdrnbWidgets?: Promise<unknown>;
}
