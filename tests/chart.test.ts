/** The Helm chart of `deploy/chart`: its values by its schema, its settings by the code, and its templates by helm, if that is installed. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { z } from "zod";
import { CONTROL_PORT } from "@/lib/domain/runtime/egress/control";
import { findClusterFailure } from "./kubernetes-fixture";

const run = promisify(execFile);
const CHART = path.join(import.meta.dirname, "../deploy/chart");
const read = (file: string) => readFileSync(path.join(CHART, file), "utf8");
const schema: unknown = JSON.parse(read("values.schema.json"));
const validate = new Ajv({ strict: false }).compile(z.looseObject({}).parse(schema));

const TRIAL = ["--values", path.join(CHART, "values-trial.yaml")];

/** What every installation sets. */
const NEEDED = {
  image: { repository: "registry.example/app-hosting" },
  web: { url: "https://apps.example.com" },
  gateway: { url: "https://apps-gateway.example.com" },
  registry: { url: "https://registry.example/platform/apps" },
  secrets: { database: { name: "database" }, masterKeys: { name: "keys" } },
};

test.each(["values.yaml", "values-trial.yaml"])("%s is valid", (file) => {
  expect(validate(parse(read(file))), JSON.stringify(validate.errors)).toBe(true);
});

// Guarantee: what is misspelled or can't work is refused, not ignored.
test.each([
  ["an unknown value", { web: { replica: 3 } }],
  ["a setting that is not one", { settings: { PLATFORM_QUOTA_CPU: "3" } }],
  ["a setting that the chart sets itself", { settings: { PLATFORM_RUNTIME: "docker" } }],
  ["a URL with a path", { web: { url: "https://apps.example.com/pages" } }],
  ["a registry without a repository", { registry: { url: "https://registry.example" } }],
  ["no replicas", { worker: { replicas: 0 } }],
  ["an image with its tag", { image: { repository: "registry.example/app-hosting:1" } }],
  ["a value of the wrong type", { metrics: { port: "9464" } }],
  ["no egress guards", { egress: { guard: { replicas: 0 } } }],
  ["a range without its length", { egress: { never: ["10.96.0.0"] } }],
])("%s is refused", (_, values) => {
  expect(validate(values)).toBe(false);
});

const environment = readFileSync(
  path.join(import.meta.dirname, "../lib/server/platform/environment.ts"),
  "utf8",
);
const known = new Set(
  [...environment.slice(environment.indexOf("const shape =")).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(
    ([, name = ""]) => name,
  ),
);
/** Of the image, of Kubernetes, of other runtimes, or of a worker outside the cluster. */
const NOT_OF_CHARTS = [
  "NODE_ENV",
  "KUBECONFIG",
  "KUBERNETES_SERVICE_HOST",
  "KUBERNETES_SERVICE_PORT",
  "PLATFORM_APP_PROCESSES",
  "PLATFORM_APP_SUBNETS",
  "PLATFORM_DATA_DIR",
  "PLATFORM_EXAMPLES_IN_CONTAINERS",
  "PLATFORM_GATEWAY_HOST",
  "PLATFORM_KEEP_IMAGES_HOURS",
  "PLATFORM_WEB_HOST",
];
const templates = readdirSync(path.join(CHART, "templates"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(?:yaml|tpl)$/.test(file))
  .map((file) => read(path.join("templates", file)))
  .join("\n");
const ownSettings = new Set(
  templates.match(/\b(?:PLATFORM_[A-Z0-9_]*[A-Z0-9]|DATABASE_URL|NODE_EXTRA_CA_CERTS)\b/g),
);
const freeSettings = z
  .object({
    properties: z.object({
      settings: z.object({
        propertyNames: z.object({ anyOf: z.tuple([z.object({ enum: z.array(z.string()) }), z.unknown()]) }),
      }),
    }),
  })
  .parse(schema).properties.settings.propertyNames.anyOf[0].enum;

/** The schema allows every variable of OpenTelemetry. */
const isOfTraces = (name: string) => name.startsWith("OTEL_");

// Guarantee: the chart sets nothing that the code doesn't read, and everything that it reads can be set.
test("the chart's settings are those of the code", () => {
  const set = [...ownSettings, ...freeSettings];
  expect(
    set.filter((name) => !known.has(name)),
    "nothing in environment.ts reads these",
  ).toEqual([]);
  expect(
    [...known].filter((name) => !set.includes(name) && !NOT_OF_CHARTS.includes(name) && !isOfTraces(name)),
    "name these in values.schema.json, below `settings`",
  ).toEqual([]);
  expect(freeSettings.filter((name) => ownSettings.has(name))).toEqual([]);
});

test("the worker may do as much with the chart as with apps.yaml", () => {
  const rules = (text: string) =>
    [...text.matchAll(/resources: \[(.*?)\],?\s+verbs: \[(.*?)\]/g)].map(
      ([, what, how]) => `${what}: ${how}`,
    );
  const file = readFileSync(path.join(CHART, "../kubernetes/apps.yaml"), "utf8");
  expect(rules(read("templates/apps.yaml"))).toEqual(rules(file));
  expect(rules(file)).toHaveLength(7);
  expect(templates).not.toMatch(/kind: Cluster/);
});

const hasHelm = await run("helm", ["version"]).then(
  () => true,
  () => false,
);

describe.skipIf(!hasHelm)(`helm${hasHelm ? "" : " (skipped: it is not installed)"}`, () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "platform-chart-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const render = async (values: object, more: readonly string[] = [], chart = CHART) => {
    const file = path.join(folder, "values.yaml");
    writeFileSync(file, stringify(values));
    const args = ["template", "p", chart, "--namespace", "platform", "--kube-version", "1.34.0"];
    const { stdout } = await run("helm", [...args, "--values", file, ...more], {
      maxBuffer: 16 * 1024 * 1024,
    });
    return parseAllDocuments(stdout).map((document) => objectShape.parse(document.toJS()));
  };

  test("helm lint finds nothing", async () => {
    const { stdout } = await run("helm", ["lint", "--strict", CHART, ...TRIAL]);
    expect(stdout).toContain("0 chart(s) failed");
  });

  test("what is missing is said at once, with examples", async () => {
    await expect(render({})).rejects.toThrow(
      /web\.url: .*[^]*registry\.url: .*[^]*secrets\.masterKeys\.name: /,
    );
    await expect(render({ ...NEEDED, apps: { namespace: "platform" } })).rejects.toThrow(/must not share/);
    await expect(render({ ...NEEDED, apps: { guard: false } })).rejects.toThrow(/apps\.guard: true/);
  });

  // Guarantee: nobody chooses its address by a header because of a default that nobody noticed, and the notes count every connection.
  test("the notes warn of an address that any Pod can choose, and say what the database must allow", async () => {
    // Helm prints the notes only for a cluster.
    const chart = path.join(folder, "chart");
    cpSync(CHART, chart, { recursive: true });
    const text = `{{ define "notes" }}${read("templates/NOTES.txt")}{{ end }}`;
    const object = `kind: Notes\nmetadata: { name: notes }\nspec: { text: {{ include "notes" . | quote }} }\n`;
    writeFileSync(path.join(chart, "templates/zz-notes.yaml"), text + object);
    const readNotes = async (values: object) => {
      const objects = await render({ ...NEEDED, ...values }, [], chart);
      return String(objects.find(({ kind }) => kind === "Notes")?.spec?.text);
    };
    const WARNING = "believe the X-Forwarded-For";
    const clients = [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } }];
    expect(await readNotes({})).toContain(`web and gateway ${WARNING}`);
    expect(await readNotes({ gateway: { ...NEEDED.gateway, behindProxy: false } })).toContain(
      `WARNING: web ${WARNING}`,
    );
    expect(await readNotes({ behindProxy: false })).not.toContain(WARNING);
    expect(await readNotes({ networkPolicy: { clients } })).not.toContain(WARNING);
    const fixed = { replicas: 1, autoscaling: { enabled: false } };
    const parts = {
      web: { ...NEEDED.web, ...fixed },
      gateway: { ...NEEDED.gateway, ...fixed, behindProxy: false },
      worker: fixed,
    };
    // Two Pods of each part, as docs/production.md counts them.
    expect(await readNotes({ ...parts, metrics: { enabled: false } })).toContain("up to 102 connections");
    expect(await readNotes(parts)).toContain("up to 108 connections");
    const objects = await render({ ...NEEDED, ...parts });
    const proxied = (part: string) =>
      new Map(findSettings(findPods(objects, part))).get("PLATFORM_BEHIND_PROXY");
    expect(["p-web", "p-gateway", "p-worker"].map(proxied)).toEqual(["1", "0", undefined]);
  });

  // Guarantee: what relays all that apps send has nothing that is worth stealing, and listens to workers alone.
  test("the egress guard has its key and its addresses, and nothing else", async () => {
    const objects = await render({ ...NEEDED, egress: { never: ["10.96.0.0/12", "10.244.0.0/16"] } });
    const [pod] = findPods(objects, "p-guard");
    expect(pod?.containers[0]).toMatchObject({
      command: ["node", "--max-old-space-size=256", ".build/guard.js"],
      env: [
        {
          name: "PLATFORM_EGRESS_KEY",
          valueFrom: { secretKeyRef: { name: "p-egress", key: "PLATFORM_EGRESS_KEY" } },
        },
        { name: "POD_IP" },
        { name: "HOST_IP" },
      ],
    });
    expect(pod?.containers[0]).not.toHaveProperty("volumeMounts");
    expect(pod?.securityContext).toMatchObject({
      sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "0" }],
    });
    const find = (kind: string, name: string) =>
      objects.find((object) => object.kind === kind && object.metadata.name === name);
    expect(find("Secret", "p-egress")).toMatchObject({
      stringData: { PLATFORM_EGRESS_KEY: expect.stringMatching(/^\w{48}$/) },
    });
    expect(find("Service", "p-guard")?.spec).toMatchObject({
      ...{ clusterIP: "None", publishNotReadyAddresses: true },
    });
    const { ingress } = z
      .object({ ingress: z.array(z.object({ ports: z.array(portShape), from: z.array(z.unknown()) })) })
      .parse(find("NetworkPolicy", "p-guard")?.spec);
    const control = ingress.filter(({ ports }) =>
      ports.some(
        ({ port, endPort = port, protocol }) =>
          protocol === "TCP" && port <= CONTROL_PORT && endPort >= CONTROL_PORT,
      ),
    );
    expect(control.map(({ from }) => from)).toEqual([
      [
        {
          podSelector: { matchLabels: expect.objectContaining({ "app.kubernetes.io/component": "worker" }) },
        },
      ],
    ]);
    expect(ingress.flatMap(({ ports }) => ports)).toContainEqual({ port: 53, protocol: "UDP" });
    const settings = new Map(findSettings(findPods(objects, "p-worker")));
    expect(Object.fromEntries(settings)).toMatchObject({
      PLATFORM_EGRESS: "guard",
      PLATFORM_EGRESS_SERVICE: "p-guard.platform.svc",
      PLATFORM_EGRESS_NAMES: "p-names.platform.svc",
      PLATFORM_EGRESS_PODS: "platform/app-hosting.egress-guard=p",
      PLATFORM_EGRESS_NEVER: "10.96.0.0/12,10.244.0.0/16",
    });
    // The hook that migrates runs before the secret is there, and only the workers speak to the guards.
    const others = ["p-web", "p-gateway", "p-migration"].flatMap((name) => findPods(objects, name));
    expect(others).toHaveLength(3);
    expect(findSettings(others).filter(([name]) => name.startsWith("PLATFORM_EGRESS"))).toEqual([]);
  });

  test("with a secret of one's own, the chart makes none; without the guard, there is none of it", async () => {
    const named = await render({ ...NEEDED, secrets: { ...NEEDED.secrets, egress: { name: "mine" } } });
    expect(named.filter(({ kind }) => kind === "Secret")).toEqual([]);
    const [worker] = findPods(named, "p-worker");
    expect(worker?.containers[0]?.env).toContainEqual({
      name: "PLATFORM_EGRESS_KEY",
      valueFrom: { secretKeyRef: { name: "mine", key: "PLATFORM_EGRESS_KEY" } },
    });
    const open = await render({ ...NEEDED, egress: { guard: { enabled: false } }, apps: { guard: false } });
    expect(open.filter(({ metadata: { name } }) => /-(guard|names|egress)$/.test(name))).toEqual([]);
    expect(new Map(findSettings(findPods(open, "p-worker"))).get("PLATFORM_EGRESS")).toBe("open");
  });

  // Guarantee: every container of the chart is allowed in a namespace with the Pod Security profile `restricted`.
  test.each([
    [
      "its own values",
      { ...NEEDED, privateCa: { configMap: "ca" }, metrics: { serviceMonitor: { enabled: true } } },
      [],
    ],
    ["the trial's", { ...NEEDED, secrets: {} }, TRIAL],
  ])("with %s, Pods are restricted and have no account but the worker's", async (_, values, more) => {
    const objects = await render(values, more);
    const pods = objects.flatMap(({ kind, metadata, spec }) => {
      const pod = podShape.safeParse(kind === "Pod" ? spec : spec?.template?.spec);
      return pod.success ? [{ name: metadata.name, ...pod.data }] : [];
    });
    expect(pods.length).toBeGreaterThan(5);
    for (const pod of pods) {
      expect(pod.securityContext, pod.name).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(pod.automountServiceAccountToken, pod.name).toBe(pod.name === "p-worker");
      for (const container of [...pod.containers, ...pod.initContainers])
        expect(container.securityContext, pod.name).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
    }
    expect(objects.filter(({ kind }) => kind.startsWith("Cluster"))).toEqual([]);
    const names = objects.map(
      ({ kind, metadata: { name, namespace = "" } }) => `${kind} ${namespace}/${name}`,
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

const failure = hasHelm ? await findClusterFailure() : "helm is not installed";

// Guarantee: a cluster accepts every object, and has nothing to say about the profile `restricted`, by which both namespaces are closed.
describe.skipIf(failure !== undefined)(
  `kubernetes${failure === undefined ? "" : ` (skipped: ${failure})`}`,
  () => {
    let folder = "";
    const id = randomUUID().slice(0, 8);
    const [namespace, apps] = [`chart-${id}`, `chart-apps-${id}`];
    const kubectl = (...args: string[]) =>
      run("kubectl", ["--kubeconfig", path.join(folder, "config"), ...args], { maxBuffer: 16 * 1024 * 1024 });
    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), "platform-chart-"));
      copyFileSync(process.env.KUBECONFIG ?? "", path.join(folder, "config"));
      await kubectl("config", "set-context", "--current", "--namespace", namespace);
      for (const name of [namespace, apps]) {
        await kubectl("create", "namespace", name);
        await kubectl(
          "label",
          "namespace",
          name,
          "pod-security.kubernetes.io/enforce=restricted",
          "pod-security.kubernetes.io/warn=restricted",
        );
      }
    });
    afterAll(async () => {
      await kubectl("delete", "namespace", namespace, apps, "--wait=false");
      rmSync(folder, { recursive: true });
    });

    test.each([
      ["its own values", []],
      ["the trial's", [...TRIAL, "--set", "apps.createNamespace=false,trial.registry.nodePort=32123"]],
    ])(
      "the cluster accepts the chart with %s",
      async (_, more) => {
        const [values, objects] = [path.join(folder, "values.yaml"), path.join(folder, "objects.yaml")];
        writeFileSync(values, stringify({ ...NEEDED, apps: { namespace: apps } }));
        const args = ["template", "p", CHART, "--namespace", namespace, "--kube-version", "1.34.0"];
        const { stdout } = await run("helm", [...args, "--values", values, ...more], {
          maxBuffer: 16 * 1024 * 1024,
        });
        writeFileSync(objects, stdout);
        const { stdout: accepted, stderr } = await kubectl(
          "apply",
          "--dry-run=server",
          "--filename",
          objects,
        );
        expect(accepted.match(/created \(server dry run\)/g)?.length).toBeGreaterThan(25);
        expect(stderr).not.toContain("violate");
      },
      60_000,
    );
  },
);

const portShape = z.object({
  port: z.number(),
  endPort: z.number().optional(),
  protocol: z.enum(["TCP", "UDP"]),
});

const containerShape = z.looseObject({
  securityContext: z.unknown(),
  env: z
    .array(z.object({ name: z.string(), value: z.unknown().optional(), valueFrom: z.unknown().optional() }))
    .optional(),
});
const podShape = z.looseObject({
  automountServiceAccountToken: z.boolean(),
  securityContext: z.unknown(),
  containers: z.array(containerShape),
  initContainers: z.array(containerShape).default([]),
});
const objectShape = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
  spec: z.looseObject({ template: z.looseObject({ spec: z.unknown() }).optional() }).optional(),
});

function findPods(objects: readonly z.output<typeof objectShape>[], name: string) {
  return objects.flatMap(({ metadata, spec }) => {
    const pod = podShape.safeParse(spec?.template?.spec);
    return metadata.name === name && pod.success ? [pod.data] : [];
  });
}

function findSettings(pods: readonly z.output<typeof podShape>[]) {
  return pods.flatMap(({ containers }) =>
    containers.flatMap(({ env = [] }) => env.map(({ name, value }) => [name, value] as const)),
  );
}
