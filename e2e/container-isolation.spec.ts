/**
 * P8: what an app can reach from inside its container, tested with the container's own Node. Link-local addresses are not
 * tested: they belong to this machine's network.
 */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import Docker from "dockerode";
import { expect, test } from "./fixtures";
import { readDatabaseUrl } from "./start-platform";

const docker = new Docker();

test("an app can reach only the state API", async ({ platform }) => {
  const reachable = await docker.ping().then(
    () => true,
    () => false,
  );
  test.skip(!reachable, "no container engine is reachable on this machine");
  const app = await inspectContainer("vin-autofill");
  const neighbour = await inspectContainer("policy-webhook");
  const stateApi = app.environment.PLATFORM_STATE_API ?? "";
  const host = new URL(stateApi).hostname;
  const portOf = (address: string) => new URL(address).port;

  expect(await ask(app.id, `${stateApi}/health`)).toBe("200");
  expect(await ask(app.id, `${stateApi}/state/psk_guess`)).toBe("404");
  // The listener for apps serves no other route.
  expect(await ask(app.id, `${stateApi}/publish/v1/whoami`)).toBe("404");
  expect(await ask(app.id, `${stateApi}/core/v1/events`)).toBe("404");

  const forbidden = {
    "the web pages": `http://${host}:${portOf(platform.webUrl)}/sign-in`,
    "the gateway's other routes": `http://${host}:${portOf(platform.gatewayUrl)}/health`,
    "the database": `http://${host}:${portOf(await readDatabaseUrl(platform))}/`,
    "the engine": `http://${host}:2375/_ping`,
    "another app": `http://${neighbour.address}:8080/health`,
    "this machine's own loopback": `http://127.0.0.1:${portOf(platform.webUrl)}/sign-in`,
  };
  for (const [what, address] of Object.entries(forbidden)) {
    expect(await ask(app.id, address), what).toMatch(/^unreachable/);
  }
  expect(await inside(app.id, "console.log(require('fs').existsSync('/var/run/docker.sock'))")).toBe("false");
  expect(
    await inside(
      app.id,
      "try { require('fs').writeFileSync('/app/x', '') } catch (e) { console.log(e.code) }",
    ),
  ).toBe("EROFS");
  console.log(`figure app_forbidden_places_tried ${Object.keys(forbidden).length} places`);
});

async function inspectContainer(app: string) {
  const containers = await docker.listContainers();
  // The newest container is this platform's: others may be left from earlier runs.
  const [found] = containers
    .filter(({ Names }) => Names.some((name) => name.startsWith(`/platform-${app}-`)))
    .sort((a, b) => b.Created - a.Created);
  if (found === undefined) throw new Error(`No container of ${app} is running.`);
  const inspected = await docker.getContainer(found.Id).inspect();
  const environment: Record<string, string | undefined> = Object.fromEntries(
    inspected.Config.Env.map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
  );
  const address = Object.values(inspected.NetworkSettings.Networks)[0]?.IPAddress ?? "";
  return { id: found.Id, environment, address };
}

/** The status of the response, or `unreachable` and why. */
function ask(container: string, address: string): Promise<string> {
  const script = `fetch(${JSON.stringify(address)}, { signal: AbortSignal.timeout(2000), redirect: "manual" })
    .then((answer) => console.log(answer.status), (error) => console.log("unreachable", error.cause?.code ?? error.name))`;
  return inside(container, script);
}

async function inside(container: string, script: string): Promise<string> {
  const exec = await docker
    .getContainer(container)
    .exec({ Cmd: ["node", "-e", script], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  const [out, err] = [new PassThrough(), new PassThrough()];
  docker.modem.demuxStream(stream, out, err);
  stream.once("end", () => {
    out.end();
    err.end();
  });
  const [printed, complained] = await Promise.all([text(out), text(err)]);
  return (printed + complained).trim();
}
