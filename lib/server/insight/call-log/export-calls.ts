import type { CallFilter } from "@/lib/contract/calls/call-filter";
import type { CallRow } from "@/lib/contract/insight/call";
import { toRange } from "@/lib/domain/calls/call-range";
import type { Member } from "@/lib/domain/platform/actor";
import type { ExportFormat } from "@/lib/contract/platform/audit-view";
import type { Platform } from "../../platform/platform";
import { type Column, dayOf, nameExport, writeRows } from "../../platform/write-rows";
import { listCalls } from "./list-calls";

const PAGE = 500;

const COLUMNS: readonly Column<CallRow>[] = [
  ["id", (call) => call.id],
  ["at", (call) => call.at],
  ["app", (call) => call.installation.title],
  ["tenant", (call) => call.installation.tenant],
  ["installation", (call) => call.installation.id],
  ["kind", (call) => call.kind],
  ["target", (call) => call.target],
  ["event", (call) => call.eventType],
  ["status", (call) => call.status],
  ["durationMs", (call) => call.durationMs],
  ["failure", (call) => call.failure],
  ["test", (call) => call.test || call.installation.test],
  ["delivery", (call) => call.delivery?.id ?? null],
  ["deliveryState", (call) => call.delivery?.state ?? null],
  ["attempts", (call) => call.delivery?.attemptCount ?? null],
];

/**
 * All calls that a filter shows, newest first, as a file without payloads and answers. The first page is read at once, so that what a list
 * refuses is refused before the file begins.
 */
export async function exportCalls(
  platform: Platform,
  member: Member,
  filter: CallFilter,
  format: ExportFormat,
  zone: string,
): Promise<{ name: string; parts: AsyncGenerator<string> }> {
  const first = await listCalls(platform, member, filter, undefined, PAGE);
  async function* pages(): AsyncGenerator<CallRow[]> {
    let page = first;
    yield page.calls;
    while (page.next !== undefined) {
      page = await listCalls(platform, member, filter, page.next, PAGE);
      yield page.calls;
    }
  }
  const { from, to } = toRange(filter, new Date());
  const name = nameExport(
    {
      owner: member.organization.slug,
      what: "calls",
      from: from && dayOf(from, zone),
      to: to && dayOf(to, zone),
      format,
    },
    zone,
  );
  return { name, parts: writeRows(pages(), COLUMNS, format, zone) };
}
