import { Conversation } from "./conversation.js";

/** @param {boolean} lossy */
function talk(lossy) {
  /** @type {any[]} */
  const sent = [];
  const refuse = vi.fn();
  const c = new Conversation((text) => sent.push(JSON.parse(text)), lossy, refuse);
  return { c, sent, refuse };
}

describe("a conversation", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("holds messages until it is live, and sends one at a time", () => {
    const { c, sent } = talk(false);
    c.post("pair", { I: 0 });
    c.post("label", { I: 1 });
    expect(sent).toEqual([]);
    c.live();
    expect(sent).toEqual([{ client: c.client, seq: 1, kind: "pair", body: { I: 0 } }]);
    expect(c.client).toMatch(/^[0-9a-f]{16}$/); // what the session takes
    c.acknowledged({ ack: 1 });
    expect(sent[1]).toEqual({ client: c.client, seq: 2, kind: "label", body: { I: 1 } });
  });

  it("sends only the last of waiting messages with a key", () => {
    const { c, sent } = talk(false);
    c.live();
    for (let v = 0; v < 50; v++) {
      c.post("set", v, { key: "set neighbors" });
    }
    c.acknowledged({ ack: 1 });
    expect(sent.map((m) => m.body)).toEqual([0, 49]);
    expect(c.waiting("set neighbors")).toBe(true);
    c.acknowledged({ ack: 2 });
    expect(c.waiting("set neighbors")).toBe(false);
  });

  it("lets an urgent message overtake those that wait", () => {
    const { c, sent } = talk(false);
    c.live();
    c.post("set", 1);
    c.post("set", 2);
    c.post("halt", null, { urgent: true });
    c.acknowledged({ ack: 1 });
    expect(sent.map((m) => m.kind)).toEqual(["set", "halt"]);
  });

  it("passes replies and errors to who asked, once", () => {
    const { c, refuse } = talk(false);
    const [reply, taken] = [vi.fn(), vi.fn()];
    c.live();
    c.post("export", "csv", { reply, taken });
    c.acknowledged({ ack: 7, reply: "of another" });
    expect(taken).not.toHaveBeenCalled();
    c.acknowledged({ ack: 1, reply: "a file" });
    c.acknowledged({ ack: 1, reply: "a file" });
    expect([reply.mock.calls, taken.mock.calls.length]).toEqual([[["a file"]], 1]);
    c.post("export", "exe", { reply, taken });
    c.acknowledged({ ack: 2, error: "no format" });
    expect([refuse.mock.calls, reply.mock.calls.length, taken.mock.calls.length]).toEqual([
      [["no format"]],
      1,
      2,
    ]);
  });

  it("sends again what a lossy way does not answer, and gives up in the end", () => {
    const { c, sent, refuse } = talk(true);
    const taken = vi.fn();
    c.live();
    c.post("pair", null, { taken });
    vi.advanceTimersByTime(3 * 700);
    expect(sent.map((m) => m.seq)).toEqual([1, 1, 1, 1]);
    c.post("label", null);
    vi.advanceTimersByTime(60 * 700);
    expect(taken).toHaveBeenCalledOnce();
    expect(sent.at(-1).kind).toBe("label");
    expect(refuse.mock.calls).toEqual(Array(2).fill([expect.stringContaining("did not answer")]));
  });

  it("keeps a message while the connection is away, and sends it again when it is back", () => {
    for (const lossy of [true, false]) {
      const { c, sent, refuse } = talk(lossy);
      c.live();
      c.post("label", 3);
      c.post("label", 4);
      c.dead();
      vi.advanceTimersByTime(60_000);
      expect(sent.map((m) => m.body)).toEqual([3]);
      c.live();
      c.live(); // each setup of the widget says that it is live
      expect(sent.map((m) => m.body)).toEqual(lossy ? [3, 3] : [3]); // a safe way has its repeat
      c.acknowledged({ ack: 1 });
      expect(sent.at(-1).body).toBe(4);
      expect(refuse).not.toHaveBeenCalled();
      c.acknowledged({ ack: 2 });
    }
  });

  it("sends nothing again that was answered, or went by a safe way", () => {
    const safe = talk(false);
    safe.c.live();
    safe.c.post("pair", null);
    const lossy = talk(true);
    lossy.c.live();
    lossy.c.post("pair", null);
    lossy.c.acknowledged({ ack: 1 });
    vi.advanceTimersByTime(60000);
    expect([safe.sent.length, lossy.sent.length]).toEqual([1, 1]);
  });

  it("greets with the number of the last message that has arrived, and repeats that on its way", () => {
    const { c, sent } = talk(false);
    c.greet();
    c.live();
    c.post("pair", 1);
    c.greet();
    c.repeat();
    c.forget();
    c.greet();
    expect(sent.map((m) => [m.kind, m.seq])).toEqual([
      ["hello", 0],
      ["pair", 1],
      ["hello", 0],
      ["pair", 1],
      ["hello", 1],
    ]);
  });
});
