// The client side of the port protocol (wasm/port): one message a call, ids of the client's choice. A
// stream sends a frame only after the one before was acknowledged, which happens on the animation frame
// after it was handled: a hidden tab asks for nothing.

export type Result = Record<string, unknown>;

interface Waiting {
  resolve(result: Result): void;
  reject(error: Error): void;
}

interface Open {
  onFrame(frame: Uint8Array): void;
  onError(error: Error): void;
}

export class Client {
  private next = 1;
  private waiting = new Map<number, Waiting>();
  private streams = new Map<number, Open>();

  /** Messages posted before the cluster serves wait in the port. */
  constructor(private port: MessagePort) {
    port.onmessage = (ev) => this.receive(ev.data);
  }

  /** call asks once. It rejects with what the cluster answered as an error. */
  call<R = Result>(op: string, args: object = {}): Promise<R> {
    const id = this.next++;
    return new Promise<R>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (r: Result) => void, reject });
      this.port.postMessage({ ...args, id, op });
    });
  }

  /** stream calls onFrame for every frame until the returned func is called. */
  stream(op: string, args: object, onFrame: (frame: Uint8Array) => void, onError: (error: Error) => void = console.error): () => void {
    const id = this.next++;
    this.streams.set(id, { onFrame, onError });
    this.port.postMessage({ ...args, id, op });
    return () => {
      if (this.streams.delete(id)) this.port.postMessage({ id, op: "cancel" });
    };
  }

  /** fail ends everything that waits: the cluster program stopped, and will not answer. */
  fail(error: Error): void {
    for (const call of this.waiting.values()) call.reject(error);
    for (const open of this.streams.values()) open.onError(error);
    this.waiting.clear();
    this.streams.clear();
  }

  private receive(message: Result & { id: number; error?: string; frame?: Uint8Array }): void {
    const { id, error, frame, ...result } = message;
    const call = this.waiting.get(id);
    if (call) {
      this.waiting.delete(id);
      if (error === undefined) call.resolve(result);
      else call.reject(new Error(error));
      return;
    }
    const open = this.streams.get(id);
    if (!open) return;
    if (error !== undefined) {
      this.streams.delete(id);
      open.onError(new Error(error));
      return;
    }
    requestAnimationFrame(() => this.port.postMessage({ id, op: "ack" }));
    open.onFrame(frame!);
  }
}
