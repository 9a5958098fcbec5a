/** Sends the call that the console or `platform-app call` asks for. */
import type { DevCall, DevCallInput } from "../contract/calls";
import type { Emulator } from "../emulator/emulator";
import { findConfigured } from "../emulator/find-customer";
import { findRoute } from "../emulator/list-routes";
import { prepareCall } from "./prepare-call";
import { sendCall, waitForRestart } from "./send-call";

/** Returns once the app has answered. */
export async function callRoute(emulator: Emulator, input: DevCallInput): Promise<DevCall> {
  const { manifest, url } = emulator;
  const customer = findConfigured(emulator, input.customerId);
  const route = findRoute(manifest, input.route);
  const prepared = prepareCall({ route, customer, manifest, url }, input);
  await waitForRestart(emulator);
  const { call } = await sendCall(emulator, customer, prepared, { sender: input.sender ?? "console" });
  return call;
}
