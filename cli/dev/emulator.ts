/** The platform on this machine: one app, made-up customers, their state, a core, and calls. Knows nothing of HTTP pages. */
import { createHash, randomUUID } from "node:crypto";
import path from "node:path";
import { configurationCheckAnswer } from "@/lib/contract/app-answer";
import type { CheckResult } from "@/lib/contract/configuration-check";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import type { ConfigurationInput } from "@/lib/contract/installation";
import type { Manifest } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import { parseJson } from "@/lib/contract/parse-json";
import { Problem } from "@/lib/contract/problem";
import { toCheckResult } from "@/lib/domain/configuration-check";
import { checkHealth } from "./app/check-health";
import type { Runner } from "./app/runner";
import { supervise, type Supervisor } from "./app/supervise";
import { createSender, listSecrets } from "./call-sender";
import type { DevCall, DevCallInput } from "./contract/calls";
import type { DevSettings } from "./contract/core";
import type { DevCustomer } from "./contract/customers";
import type { DevDrill, DrillName } from "./contract/drills";
import type { DevInstance } from "./contract/instance";
import type { DevManifest } from "./contract/manifest";
import type { DevSnapshot } from "./contract/snapshot";
import { callEndpoint, type EndpointAnswer, type EndpointRequest } from "./call-endpoint";
import { createHistory, type DevHistory } from "./dev-history";
import { createDrills } from "./drill-stage";
import { maskSecrets } from "./mask-secrets";
import {
  findMissing,
  inventAnswers,
  listSecretNames,
  saveAnswers,
  toRecord,
  viewConfiguration,
} from "./platform/configure";
import { openCustomers, type CustomerStore, type LocalCustomer } from "./platform/customer-store";
import { createCore, type LocalCore } from "./platform/local-core";
import { createTokens, type LocalTokens } from "./platform/local-tokens";
import { productsOf } from "./platform/products";
import { answerStateRead, type StateRead } from "./platform/state-api";
import { createStateKeys } from "./platform/state-keys";
import { createSamplePayload, prepareCall, prepareCheck } from "./prepare-call";
import { describeManifest, listRoutes, readManifest } from "./read-manifest";

export interface EmulatorOptions {
  folder: string;
  manifestFile: string;
  manifest: Manifest;
  runner: Runner;
  /** URL of the emulator for this machine's programs, and for the app. */
  url: string;
  appUrl: string;
  stateFolder: string;
  version: string;
  readyMs?: number;
}

export interface Emulator {
  history: DevHistory;
  customers: CustomerStore;
  tokens: LocalTokens;
  core: LocalCore;
  snapshot(): DevSnapshot;
  manifest(): DevManifest;
  instance(): DevInstance;
  /** Builds and starts the app, and sends the lifecycle hooks of customers that have not got them. */
  start(cause: string): Promise<boolean>;
  /** The manifest file changed. */
  reload(): Promise<void>;
  changeSettings(settings: DevSettings): DevSettings;
  listCustomers(): DevCustomer[];
  addCustomer(name: string): Promise<DevCustomer>;
  removeCustomer(id: string): Promise<void>;
  invent(id: string, which: "all" | "missing"): Promise<number>;
  configuration(id: string): ConfigurationView;
  configure(id: string, input: ConfigurationInput): Promise<number>;
  check(id: string, input: ConfigurationInput): Promise<CheckResult>;
  sample(customerId: string, route: string, name?: string, product?: string): string;
  call(input: DevCallInput): Promise<DevCall>;
  /** A request to one of the app's endpoints, by whoever has its URL. */
  callEndpoint(customerId: string, request: EndpointRequest): Promise<EndpointAnswer>;
  runDrill(name: DrillName): Promise<DevDrill>;
  readState(key: string, what: StateRead["what"]): unknown;
  close(): Promise<void>;
}

/** @returns the file in which the answers for the app in a folder are kept */
export function answersFile(stateFolder: string, folder: string): string {
  const id = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return path.join(stateFolder, "dev", `${path.basename(folder).replace(/[^\w.-]/g, "_")}-${id}.json`);
}

export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { folder, manifestFile, runner, url, appUrl } = options;
  const customers = await openCustomers(answersFile(options.stateFolder, folder));
  const history = createHistory();
  const keys = createStateKeys();
  const tokens = createTokens(url);
  let manifest = options.manifest;
  let described = describeManifest(manifestFile, manifest, await readManifest(manifestFile));
  let settings: DevSettings = { core: "normal", coreDelayMs: 3_000 };
  const coreApiUrl = ({ tenantHostName }: LocalCustomer) => `${appUrl}/core/${tenantHostName}`;
  const core = createCore(customers, tokens, coreApiUrl, () => settings);
  const started = new Set<string>();

  const app: Supervisor = supervise({
    runner,
    stateApi: appUrl,
    readyMs: options.readyMs,
    onChange: () => history.emit({ name: "instance", data: instance() }),
    onLog: ({ stream, text }) => history.addLine({ stream, text: maskSecrets(text, allSecrets()) }),
  });
  const send = createSender({ history, keys, coreApiUrl, port: () => app.status().port });
  const drills = createDrills({ app, send, history, customers, core, ...access(), runDrillable });

  for (const customer of customers.list()) if (customer.fresh) await invent(customer.id, "all");

  return {
    ...{ history, customers, tokens, core, instance, listCustomers, configuration, configure, invent },
    manifest: () => described,
    snapshot: () => ({
      runId: RUN_ID,
      cliVersion: options.version,
      ...{ folder, stateApi: appUrl, answersFile: customers.file },
      ...{ manifest: described, instance: instance(), settings, customers: listCustomers() },
      ...{ calls: history.calls(), reads: history.reads(), log: history.log() },
      drills: drills.list(),
    }),
    start: async (cause) => {
      const { ready } = await app.restart(cause);
      if (ready) for (const customer of customers.list()) await launch(customer);
      return ready;
    },
    reload: async () => {
      const found = await readManifest(manifestFile);
      manifest = found.manifest ?? manifest;
      described = describeManifest(manifestFile, manifest, found);
      history.emit({ name: "manifest", data: described });
      tellCustomers();
    },
    changeSettings: (changed) => {
      settings = changed;
      history.emit({ name: "settings", data: settings });
      return settings;
    },
    addCustomer: async (name) => {
      const added = await customers.add(name);
      await invent(added.id, "all");
      if (app.status().state === "ready") await launch(find(added.id));
      tellCustomers();
      return toView(find(added.id));
    },
    removeCustomer: async (id) => {
      const customer = find(id);
      if (customers.list().length === 1)
        throw new Problem("WRONG_STATE", "The last customer can't be removed. Add another one first.");
      if (customer.installed && app.status().state === "ready")
        for (const event of ["stop", "uninstall"]) await sendHook(customer, event);
      await customers.remove(id);
      tellCustomers();
    },
    check,
    sample: (customerId, routeId, name, product) =>
      createSamplePayload(findRoute(routeId), find(customerId), manifest, name, product),
    call: async (input) => {
      const customer = requireConfigured(find(input.customerId));
      const prepared = prepareCall(findRoute(input.route), customer, manifest, routeBase(customer), input);
      await app.waitUntilReady(RESTARTING_MS);
      return (await send(customer, manifest, prepared, { sender: input.sender ?? "console" })).call;
    },
    callEndpoint: (id, request) => {
      const customer = requireConfigured(find(id));
      return callEndpoint(request, manifest, `/r/${id}`, (route, wanted) => {
        const prepared = prepareCall(route, customer, manifest, routeBase(customer), wanted);
        return { prepared, send: (call) => send(customer, manifest, call, { sender: "console" }) };
      });
    },
    runDrill: (name) => drills.run(name),
    readState: (key, what) => answerStateRead(keys, tokens, key, what, noteRead),
    close: async () => {
      await app.stop();
      await runner.close();
    },
  };

  function instance(): DevInstance {
    return { ...app.status(), how: runner.how, what: runner.what };
  }

  function access() {
    return {
      manifest: () => manifest,
      settings: () => settings,
      setSettings: (changed: DevSettings) => {
        settings = changed;
        history.emit({ name: "settings", data: settings });
      },
      findProblem: async () => {
        const { port } = app.status();
        return port === null ? "The app isn't running." : ((await checkHealth(port)).problem ?? undefined);
      },
      routeBase,
    };
  }

  /** Two customers whose calls can be sent, or what keeps a drill from running. */
  function runDrillable(): LocalCustomer[] | string {
    if (app.status().state !== "ready") return "The app isn't ready. Fix that first.";
    const [one, other] = customers.list().filter((customer) => findMissing(customer, manifest).length === 0);
    if (one === undefined || other === undefined)
      return "A drill needs two customers with all required answers. Fill them in, or add a customer.";
    return [one, other];
  }

  async function launch(customer: LocalCustomer): Promise<void> {
    if (findMissing(customer, manifest).length > 0 || started.has(customer.id)) return;
    if (!customer.installed && (await sendHook(customer, "install")))
      await customers.change(customer.id, { installed: true });
    if (await sendHook(find(customer.id), "start")) started.add(customer.id);
  }

  /** Whether it succeeded, or is not declared. */
  async function sendHook(customer: LocalCustomer, event: string): Promise<boolean> {
    const route = listRoutes(manifest).find(({ kind, title }) => kind === "lifecycle" && title === event);
    if (route === undefined) return true;
    const prepared = prepareCall(route, customer, manifest, routeBase(customer), {});
    return (await send(customer, manifest, prepared, { sender: "platform" })).call.failure === null;
  }

  async function invent(id: string, which: "all" | "missing"): Promise<number> {
    const customer = find(id);
    const index = customers.list().findIndex((each) => each.id === id);
    return configure(id, inventAnswers(customer, manifest, index, which));
  }

  function configuration(id: string): ConfigurationView {
    return viewConfiguration(find(id), manifest);
  }

  async function configure(id: string, input: ConfigurationInput): Promise<number> {
    const changed = await customers.change(id, saveAnswers(find(id), manifest, input));
    tellCustomers();
    if (app.status().state === "ready") void launch(changed);
    return changed.revision;
  }

  /** Answers that can't be saved are refused at once, as on the platform. */
  function check(id: string, input: ConfigurationInput): Promise<CheckResult> {
    const customer = find(id);
    return runCheck({ ...customer, ...saveAnswers(customer, manifest, input) });
  }

  async function runCheck(unsaved: LocalCustomer): Promise<CheckResult> {
    if (!(await app.waitUntilReady(RESTARTING_MS)))
      return { outcome: "FAILED", reason: "The app isn't running. Its log shows why." };
    const { call, raw } = await send(unsaved, manifest, prepareCheck(), {
      sender: "platform",
      isCheck: true,
    });
    if (call.failure !== null)
      return { outcome: "FAILED", reason: `The app failed to check the settings. ${call.failure}` };
    const names = listSettings(manifest).map(({ name }) => name);
    const secrets = listSecrets(unsaved, listSecretNames(unsaved, manifest));
    const answer = configurationCheckAnswer.parse(parseJson(raw ?? ""));
    return toCheckResult(answer, names, (text) => maskSecrets(text, secrets));
  }

  function requireConfigured(customer: LocalCustomer): LocalCustomer {
    const [missing] = findMissing(customer, manifest);
    if (missing === undefined) return customer;
    throw new Problem(
      "WRONG_STATE",
      `${customer.name} isn't configured: ${missing.message} Open ${url} and fill in its configuration.`,
      findMissing(customer, manifest),
    );
  }

  function find(id: string): LocalCustomer {
    const customer = customers.find(id);
    if (customer === undefined) throw new Problem("NOT_FOUND", "This customer doesn't exist.");
    return customer;
  }

  function findRoute(id: string) {
    const routes = listRoutes(manifest);
    const route = routes.find((each) => each.route === id);
    if (route !== undefined) return route;
    const known = routes.map((each) => each.route).join(", ") || "none";
    throw new Problem("NOT_FOUND", `The manifest doesn't declare the route "${id}". Declared: ${known}.`);
  }

  function routeBase({ id }: LocalCustomer): string {
    return `${url}/r/${id}`;
  }

  function listCustomers(): DevCustomer[] {
    return customers.list().map(toView);
  }

  function toView(customer: LocalCustomer): DevCustomer {
    const { id, name, tenantHostName, revision, productSet } = customer;
    const missing = findMissing(customer, manifest);
    const products = productsOf(productSet).map((product) => product.name);
    const { coreApiUrl: core } = toRecord(customer, manifest, coreApiUrl(customer));
    return {
      ...{ id, name, tenantHostName, coreApiUrl: core, revision, products },
      ...{ configured: missing.length === 0, missing },
    };
  }

  function tellCustomers(): void {
    history.emit({ name: "customers", data: listCustomers() });
  }

  function allSecrets() {
    return customers.list().flatMap((customer) => listSecrets(customer, listSecretNames(customer, manifest)));
  }

  function noteRead({ content, key, what, status, ms, refusal, answered }: StateRead): void {
    const callId = content?.callId ?? null;
    const read = {
      ...{ id: randomUUID(), at: new Date().toISOString(), callId, key, what, status, ms, refusal, answered },
      customerId: content?.customer.id ?? null,
      customerName: content?.customer.name ?? null,
    };
    history.addRead(read);
    const call = callId === null ? undefined : history.findCall(callId);
    if (call !== undefined) history.putCall({ ...call, reads: [...call.reads, read] });
  }
}

const RUN_ID = randomUUID();
/** A call during a restart waits for the new instance, as on the platform. */
const RESTARTING_MS = 8_000;
