// window.terrarium: what tests and embedders drive a cluster with. Every method is a promise.

import type { Client, Result } from "./client";

export interface Terrarium {
  apply(yaml: string): Promise<Result>;
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  clock(): Promise<Result>;
  speed(x: number | "max"): Promise<Result>;
  pause(): Promise<Result>;
  resume(): Promise<Result>;
  step(): Promise<Result>;
  advance(duration: string): Promise<Result>;
  flush(): Promise<Result>;
  traceHash(): Promise<string>;
  stats(): Promise<Result>;
}

export function hooks(client: Client): Terrarium {
  return {
    apply: (text) => client.call("apply", { text }),
    async request(method, path, body) {
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const answer = await client.call<{ status: number; body: string }>("request", { method, path, contentType, ...(text === undefined ? {} : { body: text }) });
      return { status: answer.status, body: parsed(answer.body) };
    },
    clock: () => client.call("clock"),
    speed: (x) => client.call("speed", { x }),
    pause: () => client.call("pause"),
    resume: () => client.call("resume"),
    step: () => client.call("step"),
    advance: (duration) => client.call("advance", { duration }),
    flush: () => client.call("flush"),
    traceHash: async () => (await client.call<{ hash: string }>("traceHash")).hash,
    stats: () => client.call("stats"),
  };
}

/** parsed is the object a body holds; as a string it is the body as it came, so JSON.parse takes it too. */
function parsed(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value === "object" && value !== null) {
    Object.defineProperty(value, "toString", { value: () => text });
  }
  return value;
}
