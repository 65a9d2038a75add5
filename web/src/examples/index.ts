// The manifests of the examples menu, in its order. Go tests apply every file of this folder.

import nginx from "./nginx.yaml";
import brokenImage from "./broken-image.yaml";
import careful from "./careful.yaml";
import recreate from "./recreate.yaml";
import configuration from "./configuration.yaml";
import placement from "./placement.yaml";
import tooBig from "./too-big.yaml";
import gated from "./gated.yaml";
import probes from "./probes.yaml";
import crash from "./crash.yaml";
import namespace from "./namespace.yaml";
import node from "./node.yaml";

export interface Example {
  name: string;
  title: string;
  text: string;
}

export const examples: readonly Example[] = [
  { name: "nginx", title: "nginx Deployment", text: nginx },
  { name: "careful", title: "Careful rolling update", text: careful },
  { name: "recreate", title: "Recreate strategy", text: recreate },
  { name: "broken-image", title: "Image that does not exist", text: brokenImage },
  { name: "configuration", title: "ConfigMap and Secret", text: configuration },
  { name: "placement", title: "Affinity and tolerations", text: placement },
  { name: "too-big", title: "Pod too big for any node", text: tooBig },
  { name: "gated", title: "Pod with a scheduling gate", text: gated },
  { name: "probes", title: "Probes", text: probes },
  { name: "crash", title: "Container that crashes", text: crash },
  { name: "namespace", title: "Namespace of its own", text: namespace },
  { name: "node", title: "One more node", text: node },
];
