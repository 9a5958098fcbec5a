import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "@playwright/test";
import { AXE_CONTEXT, AXE_RULES, listSerious } from "./axe-rules";

/** What axe finds on a page that Playwright drives. Its program, half a megabyte, is evaluated once for each document. */
export async function findViolations(page: Page, rules: RunOptions = AXE_RULES): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(AXE_CONTEXT)}, ${JSON.stringify(rules)})`,
  );
  return listSerious(violations);
}
