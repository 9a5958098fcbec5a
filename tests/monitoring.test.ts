/** The alert rules and the dashboard of `deploy/monitoring/`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { ALL_METRICS } from "@/lib/server/surface/metrics/all-metrics";

const root = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

const rules = z
  .object({
    groups: z.array(
      z.object({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string().regex(/^AppHosting\w+$/),
            expr: z.string(),
            for: z
              .string()
              .regex(/^\d+[mh]$/)
              .optional(),
            labels: z.strictObject({ severity: z.enum(["critical", "warning", "info"]) }),
            annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read("deploy/monitoring/alerts.yaml")))
  .groups.flatMap((group) => group.rules);

const panels = z
  .object({
    panels: z.array(
      z.object({
        id: z.number(),
        title: z.string(),
        targets: z.array(z.object({ expr: z.string() })).default([]),
      }),
    ),
  })
  .parse(JSON.parse(read("deploy/monitoring/dashboard.json"))).panels;

const expressions = [
  ...rules.map(({ alert, expr }) => ({ at: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ at: title, expr }))),
];

const metrics = new Map(ALL_METRICS.map((metric) => [metric.name as string, metric]));
const page = read("docs/metrics.md");

/** `name{label="value"}`: the selectors of an expression. */
function listSelectors(expr: string) {
  return [...expr.matchAll(/\b((?:platform|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = "", matchers = ""]) => ({
      name,
      matchers: [...matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
        ([, label = "", operator = "", value = ""]) => ({ label, operator, value }),
      ),
    }),
  );
}

// Guarantee: no alert is silent, and no panel empty, because a metric or a label has another name.
test("every metric, label and value that they name exists", () => {
  for (const { at, expr } of expressions) {
    const selectors = listSelectors(expr);
    expect(selectors.length, at).toBeGreaterThan(0);
    for (const { name, matchers } of selectors) {
      if (!name.startsWith("platform_")) {
        if (name !== "up") expect(page, at).toContain(`\`${name}\``);
        continue;
      }
      const base = name.replace(/_(bucket|count|sum)$/, "");
      const metric = metrics.get(base) ?? metrics.get(name);
      expect(metric, `${at}: ${name}`).toBeDefined();
      expect(base === name, `${at}: ${name}`).toBe(metric?.type !== "histogram");
      for (const { label, operator, value } of matchers) {
        const known = metric?.labels[label];
        expect(known, `${at}: ${name}{${label}}`).toBeDefined();
        const values = operator.endsWith("~") ? value.split("|") : [value];
        for (const each of values)
          expect(
            known?.some((name) => new RegExp(`^(?:${each})$`).test(name)),
            `${at}: ${label}="${each}"`,
          ).toBe(true);
      }
    }
    const [grouped = ""] = /\bby \(([^)]*)\)/.exec(expr)?.slice(1) ?? [];
    const own = selectors.flatMap(({ name }) =>
      Object.keys(metrics.get(name.replace(/_(bucket|count|sum)$/, ""))?.labels ?? {}),
    );
    for (const label of grouped
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== ""))
      expect(["le", "instance", "job", ...own], `${at}: by (${label})`).toContain(label);
  }
});

// Guarantee: what the chart's ServiceMonitor scrapes is the job that rules and panels ask for.
test("they ask for the job whose name the chart's Services have", () => {
  const jobs = expressions.flatMap(({ expr }) =>
    [...expr.matchAll(/\bjob="([^"]*)"/g)].map(([, job]) => job),
  );
  expect(new Set(jobs)).toEqual(new Set(["app-hosting"]));
  const monitor = read("deploy/chart/templates/service-monitor.yaml");
  const [, label = ""] = /^ {2}jobLabel: (\S+)$/m.exec(monitor) ?? [];
  expect(read("deploy/chart/templates/_names.tpl")).toContain(`\n${label}: app-hosting\n`);
});

// Guarantee: whoever is woken by an alert finds what to do.
test("every alert has a runbook that exists", () => {
  const headings = new Set(
    [...read("docs/operating.md").matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
  for (const { alert, annotations } of rules) {
    const [file, anchor = ""] = annotations.runbook.split("#");
    expect(file, alert).toBe("docs/operating.md");
    expect(headings, alert).toContain(anchor);
    expect(read("docs/operating.md"), alert).toContain(`\`${alert}\``);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

// Guarantee: what is measured can be seen.
test("the dashboard shows every metric of the platform, and its panels have ids of their own", () => {
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n");
  for (const { name } of ALL_METRICS) expect(shown, name).toContain(name);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
