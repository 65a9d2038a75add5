// What a page and the worker that runs the cluster tell each other beside the ports of the cluster's
// clients.

export type ToWorker =
  | { op: "hello"; url: string; bytes: number; query: string; memoryOnly: boolean }
  | { op: "alive"; lock: string } // the page holds this Web Lock for as long as it lives, however it ends
  | { op: "load"; cached: boolean } // the line is free for the program, or it needs none
  | { op: "connect"; port: MessagePort }
  | { op: "bye" };

export type FromWorker =
  | { op: "progress"; loaded: number; total: number }
  | { op: "ready" }
  | { op: "kept"; cluster: string } // this browser keeps the cluster of that uid
  | { op: "failed"; message: string; details?: string } // it could not start, or it stopped
  | { op: "reload" }; // the cluster was reset: begin again

/**
 * runGo fetches and compiles a program, and runs it. The promise of exited settles when it ends. Counting
 * the bytes costs a copy of them.
 */
export async function runGo(url: string, onBytes?: (n: number) => void): Promise<{ exited: Promise<void> }> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText} for ${url}`);
  if (onBytes) void count(response.clone(), onBytes);
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(response, go.importObject);
  return { exited: go.run(instance) };
}

async function count(response: Response, onBytes: (n: number) => void): Promise<void> {
  const reader = response.body!.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes((bytes += value.byteLength));
  }
}
