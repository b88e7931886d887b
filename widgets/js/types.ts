// The data that pass between the page and what computes: the cell, or the engine in a worker.
// Package interact writes them; see Setup and State of each widget there.

import type { Sheet } from "../../viz/js/thumbnails.js";
import type { Plot } from "./plot.js";

export type Point = [number, number];

/** A number of bytes of positions: 16-bit steps in base64, two for each sample. */
export interface Packed {
  steps: string;
  unit: number;
  /** The place of step 0, and the unit of the second coordinates if it differs. */
  from?: Point;
  unitY?: number;
}

export interface Attribute {
  name: string;
  values: string[];
}

/** What every widget with a picture of samples has in its setup. */
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

/** What every state has. */
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

/** What an output of the notebook holds. */
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

/** What a transport tells the widget. */
export interface Ear {
  hear(m: Message): void;
  /** Sends the greeting to which the other side answers with setup and state. */
  greet(): void;
  /** The controls were alive and no longer are. */
  die(reason: string): void;
  /** The controls cannot begin. */
  unable(reason: string): void;
  /** Tells how far the start is; share is −1 where that is not known. */
  starting(text: string, share: number): void;
}

/** The way to what computes. */
export interface Transport {
  /** Whether messages may be lost, and so are sent again. */
  readonly lossy: boolean;
  /** The remedy behind the sentence about dead controls. */
  readonly remedy: string;
  /** Makes contact, also again. */
  begin(): void;
  send(text: string): void;
  /** Is called four times a second with how often the widget was out of the page. */
  tick(detached: number): void;
  /** Gives up what begin began, where that is possible. */
  halt(): void;
  close(): void;
}

/** A widget of some kind, as its file makes it. */
export interface View {
  plot?: Plot;
  /** Takes the setup, where the view was built before it. */
  setup?(s: unknown): void;
  state(s: State): void;
  /** Draws again, in the colours of the theme. */
  draw?(): void;
  undo?(again: boolean): void;
  /** Handles a key that was pressed outside of text fields, and tells whether it did. */
  key?(e: KeyboardEvent): boolean;
  last?(): unknown;
  /** Gives up what follows the page. */
  close?(): void;
}

/** What a widget's kind is given to build itself. */
export interface Frame {
  /** Holds the widget. */
  readonly body: HTMLElement;
  /** The line of the status, and of what is going on. */
  readonly line: HTMLElement;
  readonly failure: HTMLElement;
  /** The line that tells where the reader's changes are. */
  readonly saved: HTMLElement;
  /** Whether what the reader changes is stored. */
  readonly stores: boolean;
  /** Names what is looked at, for what outlives a reload. */
  readonly place: unknown[];
  /** Returns the bar with the title. */
  title(text: string): HTMLElement;
  /** Returns the column of a picture, with its legend and the line below. */
  view(plot: Plot): HTMLElement;
  /** Returns the milliseconds since the reader's last wish. */
  since(): number;
  post(kind: string, body: unknown, how?: Post): void;
  waiting(key: string): boolean;
  /** Shows why something cannot be; "" for nothing. */
  refuse(why: string): void;
  /** Tells that a picture is drawn, and whether it stands still. */
  drawn(revision: number, settled: boolean): void;
  /** Saves a file of the widget's. */
  download(file: Exported): void;
  /** Saves a file. */
  save(name: string, bytes: Uint8Array<ArrayBuffer>): void;
  /** Tells that a file was exported. */
  exported(name: string): void;
  /** Returns the content that is stored, null for none. */
  stored(): string | null;
  /** Returns the name under which it is stored. */
  name(): string;
}

export interface Post {
  /** Of waiting messages with the same key only the last is sent. */
  key?: string;
  reply?(reply: unknown): void;
  /** Is called when the message has arrived or was given up. */
  taken?: () => void;
  /** Goes before all that wait. */
  urgent?: boolean;
}

/** What a stage of a lesson needs once; package stage writes it, as all below. */
export interface StageSetup {
  title: string;
  dials?: { name: string; doc?: string; unit?: string; values: string[]; slider: boolean }[];
  buttons?: { name: string; doc?: string }[];
  named?: { name: string; dials: number[] }[];
  meters?: { name: string; doc?: string; unit?: string; goal?: number; most?: boolean }[];
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

/** What the reader did on a stage. */
export interface StageAction {
  kind: string;
  panel?: number;
  name?: string;
  index?: number;
  pair?: [number, number];
  at?: Point;
  by?: Point;
}

/** A question, as package interact checks it. */
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

/** The words of a beat. */
export interface BeatTask {
  lesson: string;
  name: string;
  text: string;
  reveal?: string;
  asks?: AskTask[];
}
