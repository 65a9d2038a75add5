// The worker that runs the cluster program: a SharedWorker that all tabs share, or a tab's own Worker.
// It loads the program when the first page asks, hands it the ports of its clients, and tells every page
// how the start goes. When the program stops, the next page that says hello starts it again.

import "wasm_exec";
import { type FromWorker, runGo, type ToWorker } from "./control";

interface Page {
  tell(message: FromWorker): void;
  ports: MessagePort[];
}

/** What wasm/cluster is given, as globalThis.terrariumWorker. */
interface Host {
  query: string; // the first page's ?query
  memoryOnly: boolean;
  serve(program: Program): void; // the cluster serves
  kept(uid: string): void; // the cluster of that uid is in the browser's storage
  failed(message: string): void; // it cannot; the program ends
  reset(): void; // pages must begin again
}

interface Program {
  connect(port: MessagePort): void;
  disconnect(port: MessagePort): void;
}

const pages = new Set<Page>();
let state: "idle" | "loading" | "serving" | "failed" = "idle";
let program: Program | undefined;
let cluster: string | undefined; // the uid of the cluster that is kept

function tellAll(message: FromWorker): void {
  for (const page of pages) page.tell(message);
}

function fail(message: string, details = ""): void {
  if (state === "failed") return;
  state = "failed";
  program = cluster = undefined;
  tellAll({ op: "failed", message, details });
}

/** What the program wrote lately: Go reports a panic there, and not to whoever runs it. */
const said: string[] = [];
const log = console.log;
console.log = (...words: unknown[]) => {
  log(...words);
  said.push(words.join(" "));
  said.splice(0, said.length - 60);
};

function lastWords(): string {
  const from = said.findIndex((line) => /^(panic|fatal error):/.test(line));
  return from < 0 ? "" : said.slice(from).join("\n");
}

/** Some browsers throw already when one looks whether there is a storage, which would end the program. */
function hideRefusedStorage(): void {
  try {
    void globalThis.indexedDB;
  } catch {
    Object.defineProperty(globalThis, "indexedDB", { value: undefined });
  }
}

async function load(url: string, bytes: number, cached: boolean): Promise<void> {
  state = "loading";
  hideRefusedStorage();
  try {
    const progress = (loaded: number) => tellAll({ op: "progress", loaded, total: bytes });
    const { exited } = await runGo(url, cached ? undefined : progress);
    await exited;
    const words = lastWords();
    fail(`The cluster program stopped: ${words.split("\n")[0] || "it ended"}`, words);
  } catch (error) {
    fail(`The cluster program could not be loaded: ${(error as Error).message}`);
  }
}

function join(tell: (message: FromWorker) => void): (message: ToWorker) => void {
  const page: Page = { tell, ports: [] };
  let hello: ToWorker & { op: "hello" };
  return (message) => {
    switch (message.op) {
      case "hello":
        hello = message;
        pages.add(page);
        welcome(page, hello);
        break;
      case "alive":
        void navigator.locks.request(message.lock, () => leave(page));
        break;
      case "load":
        if (state === "idle") void load(hello.url, hello.bytes, message.cached);
        break;
      case "connect":
        page.ports.push(message.port);
        program?.connect(message.port);
        break;
      case "bye":
        leave(page);
    }
  };
}

function welcome(page: Page, hello: ToWorker & { op: "hello" }): void {
  if (state === "failed") {
    state = "idle"; // a page was reloaded after the failure: try again
  }
  if (state === "idle") {
    const host: Host = { query: hello.query, memoryOnly: hello.memoryOnly, serve, kept, failed: fail, reset: () => tellAll({ op: "reload" }) };
    Object.assign(globalThis, { terrariumWorker: host });
  }
  if (state === "serving") page.tell({ op: "ready" });
  if (cluster) page.tell({ op: "kept", cluster });
}

function serve(p: Program): void {
  program = p;
  state = "serving";
  for (const page of pages) {
    for (const port of page.ports) p.connect(port);
  }
  tellAll({ op: "ready" });
}

function kept(uid: string): void {
  cluster = uid;
  tellAll({ op: "kept", cluster });
}

function leave(page: Page): void {
  pages.delete(page);
  for (const port of page.ports) program?.disconnect(port);
  page.ports = [];
}

addEventListener("connect", (ev) => {
  const port = (ev as MessageEvent).ports[0]!;
  const receive = join((message) => port.postMessage(message));
  port.onmessage = (e) => receive(e.data);
});

// What is thrown through the program (the engine's stack overflows, it is out of memory) leaves it broken:
// the pages are told, and the next one that loads gets a new worker.
addEventListener("error", (ev) => {
  if (state !== "serving") return;
  fail(`The cluster program failed: ${ev.message}`);
  setTimeout(() => close(), 100);
});

if (!("onconnect" in globalThis)) {
  const receive = join((message) => postMessage(message));
  addEventListener("message", (e) => receive(e.data));
}
