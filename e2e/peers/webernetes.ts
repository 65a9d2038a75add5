// One Deployment in webernetes, timed: globalThis.rollout(replicas, nodes) resolves with the seconds until
// all its pods run.

import { BaseImage, Cluster, type ProcessContext } from "@ngrok/webernetes";

class Server extends BaseImage {
  static readonly imageName = "nginx";
  static readonly imageVersion = "1.7.9";
  readonly defaultCommand = ["server"];

  override async exec(ctx: ProcessContext): Promise<number> {
    return await ctx.waitUntilKilled();
  }
}

async function rollout(replicas: number, nodes: number): Promise<number> {
  const cluster = new Cluster({ nodes });
  cluster.registerImage(Server);
  await cluster.init();
  const running = new Set<string>();
  const all = new Promise<void>((resolve) => {
    cluster.informer("pods", (type, pod) => {
      if (type !== "delete" && pod.status?.phase === "Running") running.add(pod.metadata!.name!);
      if (running.size === replicas) resolve();
    });
  });
  const start = performance.now();
  await cluster.apply([
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        replicas,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "web", image: "nginx:1.7.9" }] },
        },
      },
    },
  ]);
  await all;
  return (performance.now() - start) / 1000;
}

Object.assign(globalThis, { rollout });
