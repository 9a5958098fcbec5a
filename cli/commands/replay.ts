import { chooseApp, type ChosenApp, readCall, replay } from "../platform/apps-api";
import type { CliContext } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { readSince, style } from "../terminal/format";
import type { AppOptions } from "../terminal/options";

export interface ReplayOptions extends AppOptions {
  all?: boolean;
  since?: string;
  event?: string;
  path?: string;
  delivered?: boolean;
}

export async function replayDeliveries(
  context: CliContext,
  ids: readonly string[],
  { all = false, since, event, path, delivered, ...options }: ReplayOptions,
): Promise<void> {
  const { terminal } = context;
  const hasFilter = since !== undefined || event !== undefined || path !== undefined;
  checkUsage({ ids, all, hasFilter });
  const from = since === undefined ? undefined : readSince(since);
  const app = await chooseApp(context, options);
  const total = { replayed: 0, skipped: 0 };
  let more = false;
  const deliveryIds = await Promise.all(ids.map((id) => findDelivery(app, id)));
  do {
    const input = all ? { filter: { from, event, path } } : { deliveryIds, delivered };
    const result = await replay(app, input);
    total.replayed += result.replayed;
    total.skipped += result.skipped;
    // A request that replays nothing would be repeated forever.
    more = result.more && result.replayed > 0;
  } while (more);
  if (total.replayed === 0 && !all)
    throw new Failure(
      "NOTHING_REPLAYED",
      "Nothing was replayed: these deliveries are not dead, or their installations no longer receive them. To resend a delivery that the app has accepted, add --delivered.",
      { next: ["platform-app calls --dead"] },
    );
  terminal.data(total);
  const { green } = style(terminal);
  const count = (number: number) => `${number} ${number === 1 ? "delivery" : "deliveries"}`;
  if (total.replayed === 0) return terminal.result("No dead deliveries match. Nothing was sent.");
  const skipped = total.skipped === 0 ? "" : ` ${count(total.skipped)} skipped.`;
  terminal.result(`${green("✓")} ${count(total.replayed)} will be sent again.${skipped}`);
  terminal.note("Watch them:  platform-app calls -f");
}

function checkUsage({ ids, all, hasFilter }: { ids: readonly string[]; all: boolean; hasFilter: boolean }) {
  if (all && ids.length > 0)
    throw new Failure("WRONG_USAGE", "Pass IDs of deliveries or --all, but not both.");
  if (!all && ids.length === 0)
    throw new Failure("WRONG_USAGE", "Pass the IDs of the deliveries to resend, or use --all.", {
      next: ["platform-app calls --dead", "platform-app replay --all --since 1h"],
    });
  if (!all && hasFilter)
    throw new Failure("WRONG_USAGE", "--since, --event and --path only work with --all.");
}

/** Lists show calls, so an ID may be of a call: its delivery is meant. */
async function findDelivery(app: ChosenApp, id: string): Promise<string> {
  const call = await readCall(app, id).catch((error: unknown) => {
    if (error instanceof Failure && (error.code === "NOT_FOUND" || error.code === "NOT_ALLOWED"))
      return undefined;
    throw error;
  });
  if (call === undefined) return id;
  if (call.delivery !== null) return call.delivery.id;
  throw new Failure("WRONG_USAGE", `Call ${id} is not a delivery. Only webhook calls can be replayed.`);
}
