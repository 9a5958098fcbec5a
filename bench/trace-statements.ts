/** What PostgreSQL did for a request: its statements with the rows that each read, from auto_explain's entries in its log. */
import { readFile } from "node:fs/promises";
import pg from "pg";
import { z } from "zod";

export interface TracedStatement {
  text: string;
  /** Rows of tables that it looked at, also those that a filter left out. */
  read: number;
  returned: number;
  ms: number;
}

interface PlanNode {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: PlanNode[];
}

const planNode: z.ZodType<PlanNode> = z.object({
  "Relation Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().optional(),
  "Rows Removed by Index Recheck": z.number().optional(),
  get Plans(): z.ZodOptional<z.ZodArray<z.ZodType<PlanNode>>> {
    return z.array(planNode).optional();
  },
});

const entry = z.object({ "Query Text": z.string(), Plan: planNode });
const ENTRY = /duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g;

export interface StatementTrace {
  /** While it is off, statements run as fast as always. */
  turn: (state: "on" | "off") => Promise<void>;
  /** The statements that ended since the last call. */
  take: () => Promise<TracedStatement[]>;
  end: () => Promise<void>;
}

/** Only connections that are opened later are traced. */
export async function traceStatements(databaseUrl: string, logFile: string): Promise<StatementTrace> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const change = async (settings: Record<string, string>) => {
    for (const [name, value] of Object.entries(settings))
      await client.query(`alter system set ${name} = ${client.escapeLiteral(value)}`);
    await client.query("select pg_reload_conf()");
    // Connections notice it before their next statement, once the signal has reached them.
    await new Promise((resolve) => setTimeout(resolve, 500));
  };
  await client.query("load 'auto_explain'");
  await change({
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "-1",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_format": "json",
    "auto_explain.log_nested_statements": "off",
  });
  let seen = (await readFile(logFile)).length;
  return {
    turn: (state) => change({ "auto_explain.log_min_duration": state === "on" ? "0" : "-1" }),
    take: async () => {
      const log = await readFile(logFile);
      const added = log.subarray(seen).toString("utf8");
      seen = log.length;
      return [...added.matchAll(ENTRY)].map(([, ms = "0", json = ""]) => readEntry(Number(ms), json));
    },
    end: () => client.end(),
  };
}

function readEntry(ms: number, json: string): TracedStatement {
  const { Plan: plan, "Query Text": text } = entry.parse(JSON.parse(json.replaceAll(/^\t/gm, "")));
  return { text, ms, read: sumRead(plan), returned: plan["Actual Rows"] * plan["Actual Loops"] };
}

function sumRead(node: PlanNode): number {
  const each =
    node["Actual Rows"] +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  const own = node["Relation Name"] === undefined ? 0 : each * node["Actual Loops"];
  return own + (node.Plans ?? []).reduce((sum, child) => sum + sumRead(child), 0);
}
