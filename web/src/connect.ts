// Connects a page to the worker that runs the cluster: a SharedWorker where the browser has one, so that
// all tabs see one cluster; elsewhere a Worker of this tab under a Web Lock, so that only one tab has it.

import type { FromWorker, ToWorker } from "./control";

const name = "terrarium-cluster";

export interface Connection {
  send(message: ToWorker): void;
}

export interface Events {
  onMessage(message: FromWorker): void;
  /** Another tab has the cluster; takeOver asks it to let go. */
  onElsewhere(takeOver: () => void): void;
  /** Another tab took the cluster from this one. */
  onLost(): void;
}

/** connect calls start when this page has a worker: at once, or when another tab lets go of it. */
export function connect(script: string, events: Events, start: (c: Connection, shared: boolean) => void): void {
  if (typeof SharedWorker === "function") {
    const worker = new SharedWorker(script, { name });
    worker.onerror = () => events.onMessage({ op: "failed", message: `The script ${script} could not be loaded.` });
    worker.port.onmessage = (e) => events.onMessage(e.data);
    start({ send: (m) => worker.port.postMessage(m, transfer(m)) }, true);
    return;
  }
  own(() => startWorker(script, events, start), events);
}

function startWorker(script: string, events: Events, start: (c: Connection, shared: boolean) => void): () => void {
  const worker = new Worker(script, { name });
  worker.onerror = () => events.onMessage({ op: "failed", message: `The script ${script} could not be loaded.` });
  worker.onmessage = (e) => events.onMessage(e.data);
  start({ send: (m) => worker.postMessage(m, transfer(m)) }, false);
  return () => worker.terminate();
}

/** own runs begin once this tab holds the cluster's lock, and what begin returns when it loses it. */
function own(begin: () => () => void, events: Events): void {
  if (!navigator.locks) {
    begin(); // not a secure context: nothing guards the storage, so boot asks for memory only
    return;
  }
  const channel = new BroadcastChannel(name);
  let end: (() => void) | undefined;
  const lose = () => {
    end?.();
    end = undefined;
    channel.close();
    events.onLost();
  };
  const hold = () => {
    end = begin();
    return new Promise<void>((release) => {
      channel.onmessage = () => {
        lose();
        release();
      };
    });
  };
  const request = (options: LockOptions) =>
    void navigator.locks.request(name, options, hold).catch(() => {
      if (end) lose(); // stolen while this tab was frozen
    });
  request({});
  setTimeout(() => {
    if (end) return;
    events.onElsewhere(() => {
      channel.postMessage("let go");
      setTimeout(() => end ?? request({ steal: true }), 3000);
    });
  }, 300);
}

function transfer(m: ToWorker): Transferable[] {
  return m.op === "connect" ? [m.port] : [];
}
