import { createServer, type RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { type BlobName, readWhole, registryStore } from "./blob-store";
import { readBody, registryClient, StoreUnreachable } from "./registry-client";

const blob: BlobName = { kind: "blob", digest: `sha256:${"0".repeat(64)}` };

async function givenRegistry(answer: RequestListener): Promise<{ origin: string; close: () => void }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return { origin: `http://127.0.0.1:${port}`, close };
}

const open = (origin: string) => registryStore({ origin, repository: "platform/apps", credentials: "" });

// Guarantee: a registry that fails is never mistaken for an image that is missing or was changed.
test("a registry that is down, broken, or gone while it answers is unreachable", async () => {
  const down = await givenRegistry(() => undefined);
  down.close();
  await expect(open(down.origin).has(blob)).rejects.toBeInstanceOf(StoreUnreachable);

  const broken = await givenRegistry((_, response) => void response.writeHead(500).end());
  await expect(open(broken.origin).has(blob)).rejects.toBeInstanceOf(StoreUnreachable);

  const cut = await givenRegistry((_, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("half", () => response.destroy());
  });
  await expect(readWhole(open(cut.origin), blob, 1_000)).rejects.toBeInstanceOf(StoreUnreachable);

  const locked = await givenRegistry((_, response) => {
    const realm = `${down.origin}/token`;
    response.writeHead(401, { "www-authenticate": `Bearer realm="${realm}"` }).end();
  });
  await expect(open(locked.origin).has(blob)).rejects.toBeInstanceOf(StoreUnreachable);
});

// Guarantee: a registry, or what gives out its tokens, that stops in the middle keeps nobody waiting for good.
test("a registry that stops sending is unreachable after a while, also before and within its token", async () => {
  const silent = await givenRegistry(() => undefined);
  const half = await givenRegistry((_, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"token": "');
  });
  const asksFor = (realm: string) =>
    givenRegistry((_, response) => {
      response.writeHead(401, { "www-authenticate": `Bearer realm="${realm}/token"` }).end();
    });
  const origins = [silent, await asksFor(silent.origin), await asksFor(half.origin), half].map(
    ({ origin }) => origin,
  );
  await Promise.all(
    origins.map(async (origin) => {
      const client = registryClient(
        { origin, repository: "platform/apps", credentials: "" },
        { patienceMs: 300 },
      );
      const read = async () => {
        const { body } = await client.send(`blobs/${blob.digest}`, { method: "GET" });
        for await (const chunk of readBody(body)) expect(chunk.length).toBeLessThan(1_000);
      };
      await expect(read(), origin).rejects.toBeInstanceOf(StoreUnreachable);
    }),
  );
});
