import { callRoute } from "@/lib/server/calls/call-route";

/** A synchronous call whose record is written when it returns. The platform writes it a moment later. */
export async function callRecorded(...args: Parameters<typeof callRoute>): ReturnType<typeof callRoute> {
  const result = await callRoute(...args);
  await args[0].services.recorder.flush();
  return result;
}
