// Starts the page: the worker that runs the cluster, page.wasm and the islands, side by side. The page can
// be used before the cluster program has arrived: what it asks waits in its ports.

import "wasm_exec";
import "./frame";
import { Client } from "./client";
import { connect, type Connection } from "./connect";
import { type FromWorker, runGo, type ToWorker } from "./control";
import { hooks } from "./hooks";
import { notice } from "./notice";
import { patch } from "./patch";
import { recall, remember } from "./remember";

interface Asset {
  url: string;
  raw: number; // bytes as they are
  br: number; // bytes on the line
}

const assets = JSON.parse(document.getElementById("assets")!.textContent!) as Record<string, Asset>;
const asset = (name: string): Asset => {
  const a = assets[name];
  if (!a) throw new Error(`the build has no ${name}`);
  return { ...a, url: new URL(a.url, document.baseURI).href };
};

/** This browser has loaded the cluster program before, so that most likely it needs no line for it. */
const cached = recall("program") === asset("cluster.wasm").url;

const root = document.documentElement;
const clients: Client[] = [];
const waiting: ToWorker[] = []; // for a worker this page does not have yet
let connection: Connection | undefined;

function send(message: ToWorker): void {
  if (connection) connection.send(message);
  else waiting.push(message);
}

/** newPort returns a port of its own to the cluster. */
function newPort(): MessagePort {
  const channel = new MessageChannel();
  send({ op: "connect", port: channel.port2 });
  return channel.port1;
}

/** newClient returns a client that hears of it when the cluster program stops. */
function newClient(): Client {
  const client = new Client(newPort());
  clients.push(client);
  return client;
}

function show(text: string, fraction?: number): void {
  const label = document.getElementById("boot-label");
  if (label) label.textContent = text;
  const bar = document.querySelector<HTMLProgressElement>("#boot-progress");
  if (bar && fraction !== undefined) bar.value = fraction;
}

function failed(message: string): void {
  delete root.dataset.ready;
  root.dataset.error = message;
  show(message);
  notice(message, "Reload", () => location.reload());
  for (const client of clients) client.fail(new Error(message));
}

/** elsewhere says whether another tab has the cluster, and nothing is loading here. */
function elsewhere(is: boolean): void {
  if (is) root.dataset.elsewhere = "true";
  else delete root.dataset.elsewhere;
  document.dispatchEvent(new CustomEvent("terrarium:elsewhere"));
}

/** kept remembers which cluster this browser keeps, and says so when it kept another before. */
function kept(cluster: string): void {
  const before = recall("cluster");
  remember("cluster", cluster);
  if (before && before !== cluster) {
    notice("The cluster that was saved here is gone: the browser's storage was cleared or damaged. This is a new one.", "Close", () => notice(""));
  }
}

function onMessage(message: FromWorker): void {
  switch (message.op) {
    case "progress": {
      const fraction = Math.min(1, message.loaded / message.total);
      const mb = (n: number) => (n / 1e6).toFixed(1);
      const line = asset("cluster.wasm").br || message.total;
      show(fraction < 1 ? `Loading the control plane: ${mb(fraction * line)} of ${mb(line)} MB` : "Starting the control plane", fraction);
      break;
    }
    case "ready":
      delete root.dataset.error;
      root.dataset.ready = "true";
      performance.mark("terrarium-ready");
      remember("program", asset("cluster.wasm").url);
      break;
    case "kept":
      kept(message.cluster);
      break;
    case "failed":
      failed(message.message);
      console.error(message.message, message.details ?? "");
      break;
    case "reload":
      remember("cluster", ""); // it was to go
      location.reload();
  }
}

function start(c: Connection, shared: boolean): void {
  const { url, raw } = asset("cluster.wasm");
  if (root.dataset.elsewhere) {
    elsewhere(false);
    show("Loading the control plane", 0);
  }
  notice("");
  c.send({ op: "hello", url, bytes: raw, query: location.search, memoryOnly: !shared && !navigator.locks });
  connection = c;
  if (cached) send({ op: "load", cached });
  for (const message of waiting.splice(0)) c.send(message);
  addEventListener("pagehide", () => c.send({ op: "bye" }));
  const lock = `terrarium-page-${Math.random()}`;
  void navigator.locks?.request(lock, () => {
    c.send({ op: "alive", lock });
    return new Promise(() => undefined);
  });
}

async function startPage(): Promise<void> {
  const { url, raw } = asset("page.wasm");
  Object.assign(globalThis, { terrariumPage: { port: newPort(), patch, mounted: () => performance.mark("terrarium-usable") } });
  let free = false;
  const onBytes = (bytes: number) => {
    // The cluster program comes after what the page needs, so that a slow line shows a page first.
    if (bytes < raw || free) return;
    free = true;
    send({ op: "load", cached });
  };
  const { exited } = await runGo(url, cached ? undefined : onBytes);
  await exited;
  throw new Error("the page program stopped; the browser's console has the reason");
}

async function startEditor(): Promise<void> {
  const { mountEditor } = await import("./editor");
  mountEditor(document.getElementById("editor")!, Promise.resolve(newClient()));
}

Object.assign(globalThis, { terrarium: hooks(newClient()) });
void startEditor();

connect(asset("cluster-worker.js").url, {
  onMessage,
  onElsewhere: (takeOver) => {
    elsewhere(true);
    show("Another tab has the cluster");
    notice("Another tab has the cluster open, and this browser can run it in one tab only.", "Use it here", takeOver);
  },
  onLost: () => failed("Another tab took over the cluster."),
}, start);

startPage().catch((error: Error) => {
  send({ op: "load", cached });
  failed(`The page could not start: ${error.message}`);
});
