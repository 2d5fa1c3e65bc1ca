/** Pods of deploy/kubernetes: allowed by the Pod Security Standard "restricted", spread, and closed to everyone else. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { ConfigError, parseConfig } from "#lib/platform/config";

const folder = "deploy/kubernetes";

interface Container {
  image: string;
  ports?: { containerPort: number; hostPort?: number }[];
  securityContext: Record<string, unknown>;
  resources: { requests: object; limits: Record<string, string> };
  readinessProbe?: { httpGet: { path: string } };
}

interface Pod {
  automountServiceAccountToken: boolean;
  securityContext: Record<string, unknown>;
  containers: Container[];
  volumes?: Record<string, unknown>[];
  topologySpreadConstraints?: { topologyKey: string; labelSelector: { matchLabels: Labels } }[];
}

type Labels = Record<string, string>;

interface Template {
  metadata: { labels: Labels };
  spec: Pod;
}

interface KubernetesObject {
  kind: string;
  metadata: { name: string; labels?: Labels };
  data?: Record<string, string>;
  spec: {
    template: Template;
    jobTemplate?: { spec: { template: Template } };
    selector: { matchLabels: Labels };
    podSelector: { matchLabels?: Labels };
    policyTypes: string[];
    ingress?: object[];
    egress?: object[];
  };
}

const { resources }: { resources: string[] } = parse(
  readFileSync(`${folder}/kustomization.yaml`, "utf8"),
);
const objects = resources.flatMap((file) =>
  parseAllDocuments(readFileSync(`${folder}/${file}`, "utf8")).map(
    (document): KubernetesObject => document.toJS(),
  ),
);
const ofKind = (...kinds: string[]) => objects.filter(({ kind }) => kinds.includes(kind));
const services = ofKind("StatefulSet", "Deployment");
const workloads = ofKind("StatefulSet", "Deployment", "Job", "CronJob").map(
  ({ metadata, spec }) => ({ metadata, ...(spec.jobTemplate?.spec ?? spec) }),
);

/** Volumes that the standard permits. */
const volumeKinds = new Set([
  ...["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral"],
  ...["persistentVolumeClaim", "projected", "secret"],
]);

test("the front, pages, workers and migrations are in the kustomization", () => {
  expect(workloads.map(({ metadata }) => metadata.name).sort()).toEqual(
    expect.arrayContaining(["fuxi-front", "fuxi-migrate", "fuxi-web", "fuxi-worker"]),
  );
});

// https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
describe.each(workloads.map(({ metadata, template }) => [metadata.name, template.spec] as const))(
  "the pods of %s",
  (_, pod) => {
    test("are allowed by the standard “restricted”", () => {
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      });
      for (const { securityContext, ports = [] } of pod.containers) {
        expect(securityContext).toEqual({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
        });
        expect(ports.filter(({ hostPort }) => hostPort !== undefined)).toEqual([]);
      }
      const kinds = (pod.volumes ?? []).flatMap(({ name, ...volume }) => Object.keys(volume));
      expect(kinds.filter((kind) => !volumeKinds.has(kind))).toEqual([]);
      expect(Object.keys(pod).filter((name) => name.startsWith("host"))).toEqual([]);
      expect(pod.automountServiceAccountToken).toBe(false);
    });

    test("have limits of memory", () => {
      for (const { resources: given } of pod.containers) {
        expect(given).toMatchObject({ requests: {}, limits: { memory: expect.any(String) } });
      }
    });
  },
);

describe.each(services.map((one) => [one.metadata.name, one] as const))("%s", (_, { spec }) => {
  const { matchLabels } = spec.selector;

  test("is spread over machines and zones, and never drained at once", () => {
    const spread = spec.template.spec.topologySpreadConstraints ?? [];
    expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
      "kubernetes.io/hostname",
      "topology.kubernetes.io/zone",
    ]);
    for (const { labelSelector } of spread) expect(labelSelector).toEqual({ matchLabels });
    const budgets = ofKind("PodDisruptionBudget").map((one) => one.spec.selector.matchLabels);
    expect(budgets).toContainEqual(matchLabels);
  });

  test("counts as ready when it says so", () => {
    for (const { readinessProbe } of spec.template.spec.containers) {
      expect(readinessProbe?.httpGet.path).toBe("/readyz");
    }
  });
});

describe("the network", () => {
  const policies = ofKind("NetworkPolicy");

  test("refuses what no policy allows, for every pod", () => {
    const deny = policies.find(({ spec }) => !(spec.ingress || spec.egress));
    expect(deny?.spec.policyTypes).toEqual(["Ingress", "Egress"]);
    const chosen = Object.entries(deny?.spec.podSelector.matchLabels ?? { none: "" });
    for (const { template } of workloads) {
      expect(Object.entries(template.metadata.labels)).toEqual(expect.arrayContaining(chosen));
    }
  });

  test("is opened for named callers only, and never to the metadata of the machine", () => {
    const ingress = policies.flatMap(({ spec }) => spec.ingress ?? []);
    expect(ingress.length).toBe(3);
    for (const rule of ingress) {
      expect(rule).toEqual({ from: expect.any(Array), ports: expect.any(Array) });
      expect(JSON.stringify(rule)).not.toContain("ipBlock");
    }
    const open = policies
      .flatMap(({ spec }) => spec.egress ?? [])
      .map((rule) => JSON.stringify(rule));
    for (const rule of open.filter((one) => one.includes("0.0.0.0/0"))) {
      expect(rule).toContain('"except":["169.254.0.0/16"]');
    }
  });
});

test("a migration and what it needs are applied before the rest", () => {
  const first = objects.filter(({ metadata }) => metadata.labels?.["step"] === "migrate");
  const names = first.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  expect(names).toEqual([
    ...["ConfigMap fuxi", "Job fuxi-migrate"],
    ...["NetworkPolicy fuxi-deny", "NetworkPolicy fuxi-stores"],
  ]);
});

test("Fuxi does not start until someone says which proxies it may trust", () => {
  const settings = Object.assign({}, ...ofKind("ConfigMap").map(({ data }) => data));
  expect(() => parseConfig(settings)).toThrow(ConfigError);
  expect(() => parseConfig(settings)).toThrow(/FUXI_TRUSTED_PROXIES must be/);
  const set = { ...settings, FUXI_TRUSTED_PROXIES: "10.4.7.0/24" };
  expect(() => parseConfig(set)).not.toThrow(/FUXI_TRUSTED_PROXIES/);
});
