// The data that a page exchanges with the Go program: the cell, or the engine in a worker. Package
// interact encodes them, see Setup and State of each widget.

import type { Sheet } from "../../viz/js/thumbnails.js";
import type { Plot } from "./plot.js";

export type Point = [number, number];

/** Positions: x and y of each sample in turn, as 16-bit multiples of unit, in base64. */
export interface Packed {
  steps: string;
  unit: number;
  /** from is added to each position; unitY is the unit of y if it differs from that of x. */
  from?: Point;
  unitY?: number;
}

export interface Attribute {
  name: string;
  values: string[];
}

/** The part that all setups with an embedding have in common. */
export interface Scene {
  title: string;
  samples: number;
  names: string[];
  colors: string[];
  symbols?: string[];
  of?: number[];
  attributes?: Attribute[];
  thumbnails?: Sheet | null;
}

export type Value = number | string | boolean;

/** An option of a method. */
export interface Option {
  name: string;
  doc: string;
  kind: "int" | "float" | "choice" | "switch";
  min: number;
  max: number;
  log: boolean;
  zero: boolean;
  auto: string;
  automatic: number;
  choices: string[];
}

export interface MethodSetup {
  name: string;
  title: string;
  controls: Option[];
}

/** The part that all states have in common. */
export interface State {
  revision: number;
  status?: string;
  error?: string;
}

export interface Chosen {
  method: number;
  values: Record<string, Value>;
  code: string;
}

/** A file that a widget exports, in base64. */
export interface Exported {
  name: string;
  content: string;
}

/** A message to the page. */
export interface Message {
  to?: string;
  setup?: unknown;
  state?: State;
  waits?: string;
  ack?: number;
  error?: string;
  reply?: unknown;
  who?: boolean;
  ping?: boolean;
  closed?: string;
  refused?: string;
  busy?: boolean;
  halted?: boolean;
  lost?: string;
  ready?: boolean;
  engine?: string;
  fatal?: string;
  store?: string;
  passing?: Packed;
  progress?: string;
  share?: number;
}

/** The data of a widget in an output of the notebook. */
export interface Payload {
  kind: string;
  address?: string;
  kernel: string;
  page?: PageTask;
}

export interface PageTask {
  task: { beat?: BeatTask };
  name: string;
  notebook: string;
  stored: string | null;
}

/** The functions of a widget that its transport calls. */
export interface Ear {
  hear(m: Message): void;
  /** Requests the setup and the state from the Go program. */
  greet(): void;
  /** Is called when live controls lose their connection. */
  die(reason: string): void;
  /** Is called when the controls cannot start. */
  unable(reason: string): void;
  /** Shows the progress of the start. share is from 0 to 1, or −1 if it is unknown. */
  starting(text: string, share: number): void;
}

/** The connection of a widget to the Go program. */
export interface Transport {
  /** Whether messages may be lost. */
  readonly lossy: boolean;
  /** A sentence for the reader on how to get live controls again. */
  readonly remedy: string;
  /** Connects, for the first time or again. */
  begin(): void;
  send(text: string): void;
  /** Is called every 250 ms. detached counts the calls since the widget left the page. */
  tick(detached: number): void;
  /** Stops what begin has started, if the transport can stop it. */
  halt(): void;
  close(): void;
}

/** The functions of one kind of widget. */
export interface View {
  plot?: Plot;
  /** Receives the setup, if the view was built before the setup arrived. */
  setup?(s: unknown): void;
  state(s: State): void;
  /** Draws again, after a change of the theme. */
  draw?(): void;
  undo?(again: boolean): void;
  /** Handles a key pressed outside of text fields, and returns whether the view uses it. */
  key?(e: KeyboardEvent): boolean;
  last?(): unknown;
  /** Stops observers and timers. */
  close?(): void;
}

/** The elements and functions that a widget offers to its view. */
export interface Frame {
  /** The element that contains the view. */
  readonly body: HTMLElement;
  /** The line with the status or with the progress of running work. */
  readonly line: HTMLElement;
  readonly failure: HTMLElement;
  /** The line that names the place where the reader's changes are stored. */
  readonly saved: HTMLElement;
  /** Whether the reader's changes are stored. */
  readonly stores: boolean;
  /** The page and the kind of widget, for the key of the stored zoom. */
  readonly place: unknown[];
  /** Creates the bar with the title. */
  title(text: string): HTMLElement;
  /** Creates a column with a plot, its legend and the status line. */
  view(plot: Plot): HTMLElement;
  /** Returns the milliseconds since the last message was posted. */
  since(): number;
  post(kind: string, body: unknown, how?: Post): void;
  waiting(key: string): boolean;
  /** Shows an error; "" removes it. */
  refuse(why: string): void;
  /** Reports that a state has been drawn. settled is false during an animation. */
  drawn(revision: number, settled: boolean): void;
  /** Saves a file that the Go program has exported. */
  download(file: Exported): void;
  /** Saves a file with the given content. */
  save(name: string, bytes: Uint8Array<ArrayBuffer>): void;
  /** Reports that a file was exported. */
  exported(name: string): void;
  /** Returns the stored content, or null. */
  stored(): string | null;
  /** Returns the name of the stored content. */
  name(): string;
}

export interface Post {
  /** The message replaces a queued message with the same key. */
  key?: string;
  reply?(reply: unknown): void;
  /** Is called when the message was acknowledged, or when sending it has failed. */
  taken?: () => void;
  /** The message is put at the head of the queue. */
  urgent?: boolean;
}

/** The constant data of a stage. Package stage encodes this type and those below. */
export interface StageSetup {
  title: string;
  dials?: { name: string; doc?: string; unit?: string; values: string[]; slider: boolean }[];
  buttons?: { name: string; doc?: string }[];
  named?: { name: string; dials: number[] }[];
  meters?: { name: string; doc?: string; unit?: string; goals?: { value: number; most?: boolean }[] }[];
  hands?: string[];
  asks?: boolean;
  names: string[];
  colors: string[];
  symbols: string[];
  thumbnails?: Sheet | null;
}

export interface StageState extends State {
  dials: number[] | null;
  more?: string[];
  hand: number;
  panels: StagePanel[] | null;
  meters: { value: number | null; text: string; met?: boolean }[] | null;
  enabled?: boolean[];
  note: string;
  tick?: number;
  won?: string;
}

/** The part of the plane that a panel shows. */
export interface Window2 {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
  square?: boolean;
  axes?: boolean;
  x?: string;
  y?: string;
}

export interface StagePanel {
  title: string;
  view: Window2;
  heat?: { width: number; height: number; levels: string; colored?: boolean; smooth?: boolean };
  lines?: StageLine[];
  links?: { i: number; j: number; kind: number }[];
  samples?: { at: Packed; of?: number[]; levels?: string; looks?: string; size?: number };
  marks?: { at: Point; text?: string; index: number; class: number }[];
  bars?: StageBar[];
  cards?: boolean;
  chosen?: boolean;
  right?: boolean;
}

export interface StageLine {
  name?: string;
  at: Point[];
  low?: number[];
  kind: number;
  class: number;
  arrow?: boolean;
}

export interface StageBar {
  name: string;
  value: number;
  text: string;
  class: number;
  low?: number;
  high?: number;
  dots?: number[];
  chosen?: boolean;
}

/** An action of the reader on a stage. */
export interface StageAction {
  kind: string;
  panel?: number;
  name?: string;
  index?: number;
  pair?: [number, number];
  at?: Point;
  by?: Point;
}

/** A question. Package interact validates it. */
export interface AskTask {
  question: string;
  kind: "choice" | "number" | "point" | "drawing";
  options?: string[];
  right: number;
  why?: string[];
  unit?: string;
  from?: number;
  to?: number;
  answer?: number;
  tolerance?: number;
  at?: number[];
  where?: [number, number, number][];
}

/** The texts and questions of a beat. */
export interface BeatTask {
  lesson: string;
  name: string;
  key?: string;
  text: string;
  reveal?: string;
  asks?: AskTask[];
}
