/**
 * The directions of imports: contract ← domain ← server ← (app, gateway, worker, launcher ← upkeep);
 * contract, domain ← components ← cli/dev-page; contract, domain ← cli. Nothing imports upwards.
 * @type {import("dependency-cruiser").IConfiguration}
 */
const only = (name, from, allowed) => ({
  name,
  severity: "error",
  from: { path: from, pathNot: "\\.test\\.tsx?$" },
  to: {
    path: "^(app|components|lib|gateway|worker|cli|launcher|upkeep|drizzle|examples|tests|e2e|bench)/",
    pathNot: allowed,
  },
});

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    only("contract-imports-nothing", "^lib/contract/", "^lib/contract/"),
    only("domain-imports-contract", "^lib/domain/", "^lib/(contract|domain)/"),
    only("server-imports-domain", "^lib/server/", "^(lib/(contract|domain|server)|drizzle/schema)/"),
    only("client-imports-contract", "^lib/client/", "^lib/(contract|domain|client)/"),
    only("components-are-browser-safe", "^components/", "^(components|lib/(contract|domain|client))/"),
    only("pages-and-handlers-are-thin", "^(app/|proxy\\.ts)", "^(app|components|lib)/"),
    only("gateway-calls-server", "^gateway/", "^(gateway|lib/(contract|domain|server))/"),
    only("worker-calls-server", "^worker/", "^(worker|lib/(contract|domain|server))/"),
    only("cli-knows-the-contract", "^cli/(?!dev-page/)", "^(cli/(?!dev-page/)|lib/(contract|domain)/)"),
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
    only("launcher-calls-server", "^launcher/", "^(launcher|lib/(contract|domain|server))/"),
    only("upkeep-calls-server", "^upkeep/", "^(upkeep|launcher|lib/(contract|domain|server))/"),
    {
      name: "sql-stays-in-queries",
      severity: "error",
      comment: "Only queries.ts, the database folder and the test set-up contain SQL.",
      from: {
        path: "^(app|components|gateway|worker|cli|launcher|upkeep|lib)/",
        pathNot: "(queries\\.ts$|^lib/server/database/|\\.test\\.tsx?$)",
      },
      to: {
        path: "(^drizzle/schema/|node_modules/drizzle-orm|node_modules/pg/)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "pure-code-does-no-io",
      severity: "error",
      from: { path: "^lib/(contract|domain)/", pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "only-the-worker-reaches-the-engine",
      severity: "error",
      from: { path: "^(app|components|gateway|proxy)" },
      to: { path: "^lib/server/runtimes/docker", reachable: true },
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
