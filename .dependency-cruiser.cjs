/**
 * Layers: contract ← domain ← server ← (app, gateway, worker, launcher ← upkeep); contract, domain ← components ← cli/dev-page;
 * contract, domain, images/archive ← cli. Contexts: each imports itself and those before it. Nothing imports upwards.
 * @type {import("dependency-cruiser").IConfiguration}
 */

/** In the order of imports, on every layer. `docs/map.md` says what each owns. */
const CONTEXTS = [
  "platform",
  "accounts",
  "images",
  "catalog",
  "calls",
  "runtime",
  "insight",
  "installations",
  "moderation",
  "surface",
];
const LAYERS = "^(lib/(contract|domain|server)|components)/";
/** Beside the contexts: primitives, which know none of them. */
const LOOSE = `${LAYERS}(?!(${CONTEXTS.join("|")})/|(?<=^components/)ui/)`;
/** Reads images for the platform, and for the command line before it sends them. */
const ARCHIVES = "^lib/server/images/archive/";
const TESTS = "\\.test\\.tsx?$";

const only = (name, from, allowed) => ({
  name,
  severity: "error",
  from: { path: from, pathNot: TESTS },
  to: {
    path: "^(app|components|lib|gateway|worker|guard|cli|launcher|upkeep|demo|drizzle|examples|tests|e2e|bench)/",
    pathNot: allowed,
  },
});

const inOrder = CONTEXTS.slice(0, -1).map((context, index) => ({
  name: `${context}-imports-no-later-context`,
  severity: "error",
  from: { path: `${LAYERS}${context}/`, pathNot: TESTS },
  to: { path: `${LAYERS}(${CONTEXTS.slice(index + 1).join("|")})/` },
}));

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    ...inOrder,
    { name: "nothing-stands-beside-the-contexts", severity: "error", from: {}, to: { path: LOOSE } },
    { name: "nothing-stands-beside-the-contexts", severity: "error", from: { path: LOOSE }, to: {} },
    only("contract-imports-nothing", "^lib/contract/", "^lib/contract/"),
    only("domain-imports-contract", "^lib/domain/", "^lib/(contract|domain)/"),
    only(
      "server-imports-domain",
      "^lib/server/",
      "^(lib/(contract|domain|server)|drizzle/schema)/|^drizzle/migrations/meta/_journal\\.json$",
    ),
    only("client-imports-contract", "^lib/client/", "^lib/(contract|domain|client)/"),
    only("primitives-know-no-context", "^components/ui/", "^(components/ui|lib/(contract|domain|client))/"),
    only("components-are-browser-safe", "^components/", "^(components|lib/(contract|domain|client))/"),
    only("pages-and-handlers-are-thin", "^(app/|proxy\\.ts)", "^(app|components|lib)/"),
    only("gateway-calls-server", "^gateway/", "^(gateway|lib/(contract|domain|server))/"),
    only("worker-calls-server", "^worker/", "^(worker|lib/(contract|domain|server))/"),
    only("guard-needs-only-the-domain", "^guard/", "^(guard|lib/(contract|domain))/"),
    only("archives-need-nothing-of-the-platform", ARCHIVES, `^lib/(contract|domain)/|${ARCHIVES}`),
    only(
      "cli-knows-the-contract",
      "^cli/(?!dev-page/)",
      `^(cli/(?!dev-page/)|lib/(contract|domain)/)|${ARCHIVES}`,
    ),
    only(
      "the-contract-of-the-emulator-is-browser-safe",
      "^cli/dev/contract/",
      "^(cli/dev/contract/|lib/contract/)",
    ),
    only(
      "the-page-of-the-emulator-is-browser-safe",
      "^cli/dev-page/",
      "^(cli/dev-page/|cli/dev/contract/|components/|lib/(contract|domain|client)/)",
    ),
    only("demo-calls-server", "^demo/", "^(demo|lib/(contract|domain|server)|drizzle/schema)/"),
    only("launcher-calls-server", "^launcher/", "^(launcher|demo|lib/(contract|domain|server))/"),
    only("upkeep-calls-server", "^upkeep/", "^(upkeep|launcher|lib/(contract|domain|server))/"),
    {
      name: "sql-stays-in-queries",
      severity: "error",
      comment: "Only queries.ts, the database folder and the test set-up contain SQL.",
      from: {
        path: "^(app|components|gateway|worker|cli|launcher|upkeep|demo|lib)/",
        pathNot: `(queries\\.ts$|^lib/server/platform/database/|${TESTS})`,
      },
      to: {
        path: "(^drizzle/schema/|node_modules/drizzle-orm|node_modules/pg/)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "pure-code-does-no-io",
      severity: "error",
      from: { path: "^lib/(contract|domain)/", pathNot: TESTS },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "only-the-worker-reaches-the-engine",
      severity: "error",
      from: { path: "^(app|components|gateway|proxy)" },
      to: { path: "^lib/server/runtime/(engines/docker|kubernetes/)", reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(\\.next|\\.build|cli/dist)" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
