// Types of the data of figures, which package viz/schema describes in full, and of the objects that
// the scripts share.

/** Functions that complete the option that Go writes, for some kinds of figures. */
interface Kinds {
  /** Functions that draw the series that Go marks with "draw", keyed by its value. */
  painters: Record<string, (s: Series, option: Option, extra: Extra) => (params: any, api: any) => any>;
  /** The lines of hover cards, by the kind of figure. */
  cards: Record<string, (p: any, extra: Extra, option: Option) => unknown[]>;
  finish: Record<string, (option: Option, extra: Extra) => void>;
  /** Sets how a series shows the names of classes or clusters. */
  label?: (s: Series, across: () => number, view?: View) => void;
  /** Completes the change of an axis with the given length in pixels. */
  axis?: (
    axis: any,
    change: any,
    length: number,
    upright: number,
    given: import("./layout.js").Given,
    measure: (text: string, font: string) => number,
  ) => void;
  /** Prepares each new chart. */
  attach?: (view: View, given: import("./layout.js").Given) => void;
  /** Returns the layout and the x axis for a width, or null if they do not depend on it. */
  fit?: (
    payload: Payload,
    width: number,
    measure: (text: string, font: string) => number,
  ) => { layout: Layout; xAxis: object } | null;
}

/** How the panels of a figure are arranged, see Go's layout. */
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

/** A series of ECharts. draw names the painter of a custom series. */
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

/** A feature, attribute or other value of the samples, for the hover card. */
interface Fact {
  name: string;
  at?: number;
  of?: number[];
  names?: string[];
  values?: (number | null)[];
}

/** Samples that the page paints instead of ECharts. Strings are arrays in base64. */
interface Packed {
  count: number;
  x: string;
  y: string;
  of: string;
  from: number[];
  to: number[];
  faded?: boolean;
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

/** The data of a chart as Go writes them. */
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

/** The layout of a figure for a width. */
interface Arranged {
  option: { [key: string]: any; grid: Box[] };
  height: number;
  near: number[];
  lines: number;
}

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

/** The functions by which figures of a page affect each other. */
interface Link {
  figure: HTMLElement;
  ring(key: string, i: number, from?: HTMLElement, k?: number): void;
  change(key: string, from: HTMLElement): void;
  entry(about: string, name: string, on: boolean): void;
  clear(): boolean;
  key?(e: KeyboardEvent): boolean;
  renew?(): void;
  /** Writes the names of clusters, after the reader has changed those of a stored content. */
  rename?(file: string): void;
}

/** A chart that waits to be drawn, see queue.js. */
interface Job {
  near: boolean;
  width: number;
  gl?: boolean;
  held?: boolean;
  begin(): Generator<Promise<unknown> | undefined>;
  steps?: Generator<Promise<unknown> | undefined> | null;
}

/** The state shared by all figures of a page, including those of other script versions. */
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
  /** Paints density images by WebGL; null if WebGL is unavailable. */
  fast?: import("./crowd.js").Fast | null;
}

interface Shared {
  figures: Link[];
  chosen: Record<string, number[]>;
  off: Record<string, Record<string, boolean>>;
  /** New names of clusters by stored content and original name, see names.js. */
  names?: Record<string, Map<string, string>>;
  keys?: boolean;
  escape?: boolean;
  helps?: number;
  scheme?(paper: boolean | undefined): void;
}

/** A figure: a chart, or an interactive static picture. */
interface View {
  data: HTMLScriptElement;
  figure: HTMLElement;
  payload: Payload;
  /** The ECharts instance or an object with the same methods; null until it is made. */
  chart: any;
  place: HTMLElement;
  /** The element after the chart. Tables are inserted before it. */
  ruler: HTMLElement;
  known: number;
  link: Link;
  arrange(): Arranged;
}

/** Panels with many samples, which crowd.js draws instead of ECharts. */
interface Crowd {
  of(k: number): PanelSamples | null;
  tip(k: number, i: number): boolean;
  attach(): void;
  paint(): void;
  dispose(): void;
}

/** The functions of samples.js that a chart needs. */
interface Chartable {
  attach(): void;
  dispose(): void;
  settle(): void;
  mark(): void;
  /** Adds the buttons for samples. width is the width of all buttons. */
  tools(bar: HTMLElement): void;
  width(): number;
  /** The first table or control below the chart. */
  first(): HTMLElement | null;
  keys?: SampleKeys;
}

/** Matches the samples of different panels, see known.js. */
interface Known {
  /** Whether the samples of panel k have numbers. */
  has(k: number): boolean;
  /** The samples of panel j with the same number as sample i of panel k. */
  same(k: number, i: number, j: number): number[];
  /** The samples of panel j with the same number as any of the given samples of panel k. */
  matches(k: number, rows: number[], j: number): number[];
}

/** The samples of a view, see samples.js. */
interface Linked extends Chartable {
  attached(): boolean;
  read(): Spots[];
  scheme(): void;
  unring(): void;
  unlook(): void;
  choose(key: string, rows: number[] | null): void;
  point(key: string, i: number, k?: number): void;
  selected(k: number): string;
  sight(p: Spots, i: number): number[] | null;
  /** Whether the legend shows the entry with this name. */
  listed(name: string): boolean;
  lister(): (name: string) => boolean;
  dot(c: CanvasRenderingContext2D, s: Spot, q: number[], alpha: number, fill?: string): void;
  tool(): string;
  keysOf(): string[];
  /** Whether an attribute matches samples of panel k with samples of other panels. */
  known(k: number): boolean;
  same(k: number, i: number, j: number): number[];
}

/** Keyboard actions on samples, see samples.js. */
interface SampleKeys {
  hint(): string;
  speak(e: HTMLElement): void;
  focus(): void;
  again(): void;
  hide(): void;
  moved(yes: boolean): void;
  spot(): { place: number[] | null; box: Box } | null;
  shown(e: any): void;
  act(e: KeyboardEvent, way: number[] | undefined): boolean;
  leave(): boolean;
}

/** A script of outputs. ids are the data elements that wait for the script, and run starts it. */
interface PageScript {
  ids: string[];
  run?: () => void;
}

/** Unpacks a text. In the extension it fails if the text is not within the limits of the schema. */
type Unpack = (packed: string) => Promise<string>;

/** Runs a script for each data element with an id. */
type Start = (id: string, unpack: Unpack) => void;

interface Window {
  echarts?: any;
  define?: unknown;
  __ssdrnbInlineGL?: boolean;
  __ssdrnbLoader?: Loader;
  __ssdrnbScripts?: Record<string, PageScript>;
  /** Start functions of the script that ran last, and of the script for all figures. */
  __ssdrnbStart?: Start;
  __ssdrnbFigures?: Start;
  /** Starts the widget of a data element, given as the element or its id. */
  __ssdrnbWidget?: (place: string | HTMLElement) => void;
  /** Settles when the script of widgets has been loaded from the server. */
  __ssdrnbWidgets?: Promise<unknown>;
}
