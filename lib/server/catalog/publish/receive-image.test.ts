import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Problem } from "@/lib/contract/platform/problem";
import { toPublisher } from "@/lib/domain/platform/actor";
import { testBundles } from "@/tests/received-bundles";
import { findRegistryFailure, type RegistryServer, startRegistry } from "@/tests/containers/registry-server";
import { toLayered } from "@/tests/hostile-images/send-blobs";
import { givenListing, givenMember, one, testPlatform } from "@/tests/test-platform";
import { registryStore } from "../../images/blob-store";
import {
  createConfig,
  createTar,
  dockerArchive,
  type ImageParts,
  toDigest,
} from "../../images/archive/test-archives";
import { listIndexCases } from "../../images/archive/test-indexes";
import { publishVersion } from "./publish-version";

const platform = await testPlatform({ PLATFORM_PRIVATE_REGISTRIES: "1" });
const bundles = await testBundles();
const BASE = await createTar([{ name: "base", content: "b".repeat(50_000) }]);
/** Of "secret". */
const HASH = "$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";
const missing = await findRegistryFailure();

let organizations = 0;

async function givenPublisher() {
  organizations += 1;
  const member = await givenMember(platform, `org-${organizations}`);
  await givenListing(platform, member);
  return toPublisher(member);
}

async function imageOf(slug: string, version: string, more: Partial<ImageParts> = {}) {
  const manifest = JSON.stringify({ name: `${slug}/vin-lookup`, version, app: { fields: [] } });
  const layers = [BASE, await createTar([{ name: "platform-app.json", content: manifest }])];
  const stored = layers.map((layer) => gzipSync(layer));
  const sent = toLayered(createConfig({ layers, ...more }), stored);
  return { ...sent, archive: await dockerArchive({ layers, stored, ...more }) };
}

type Publisher = Awaited<ReturnType<typeof givenPublisher>>;
const publish = (publisher: Publisher, from: string, credentials = {}, on = platform) =>
  publishVersion(on, publisher, { appName: "vin-lookup", from: { from, ...credentials } });

async function readRefusal(publishing: Promise<unknown>): Promise<string> {
  const error: unknown = await publishing.then(
    () => "published",
    (refusal: unknown) => refusal,
  );
  return error instanceof Problem ? `${error.issues[0]?.code ?? error.code} ${error.detail}` : String(error);
}

async function push({ origin, credentials }: RegistryServer, image: { manifest: string; blobs: Buffer[] }) {
  const store = registryStore({ origin, repository: "team/app", credentials });
  for (const blob of image.blobs)
    await store.write({ kind: "blob", digest: toDigest(blob), bytes: blob.length }, Readable.from([blob]));
  return pushDocument(store, image.manifest);
}

async function pushDocument(store: ReturnType<typeof registryStore>, text: string): Promise<string> {
  const content = Buffer.from(text);
  const digest = toDigest(content);
  await store.write({ kind: "manifest", digest, bytes: content.length }, Readable.from([content]));
  return digest;
}

describe.skipIf(missing !== undefined)(
  `from a real registry${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  () => {
    let open: RegistryServer;
    beforeAll(async () => {
      open = await startRegistry();
    });
    afterAll(() => open.end());

    const toReference = ({ origin }: RegistryServer, digest: string) =>
      `${new URL(origin).host}/team/app:latest@${digest}`;

    // Guarantee: the version is the one that its archive would be, and what the organization has is not read again.
    test("an image is published by its digest, and a second version reads only what is new", async () => {
      const publisher = await givenPublisher();
      const first = await imageOf(publisher.organizationSlug, "2.0.0");
      const { versionId } = await publish(publisher, toReference(open, await push(open, first)));
      const { rows } = await platform.pool.query(
        "select archive_digest as digest from versions where id = $1",
        [versionId],
      );
      expect(rows).toEqual([{ digest: (await bundles.receive(first.archive)).archiveDigest }]);

      const second = await imageOf(publisher.organizationSlug, "2.1.0");
      const reference = toReference(open, await push(open, second));
      const store = registryStore({ origin: open.origin, repository: "team/app", credentials: "" });
      await store.remove({ kind: "blob", digest: toDigest(gzipSync(BASE)) });
      expect((await publish(publisher, reference)).number).toBe("2.1.0");
      const other = await givenPublisher();
      expect(await readRefusal(publish(other, reference))).toMatch(/^REGISTRY_FAILED .*has no such image/);
    });

    test("what the registry has of other platforms is refused", async () => {
      const publisher = await givenPublisher();
      const arm = await imageOf(publisher.organizationSlug, "2.0.0", { architecture: "arm64" });
      const reference = toReference(open, await push(open, arm));
      expect(await readRefusal(publish(publisher, reference))).toMatch(/^WRONG_ARCHITECTURE .*linux\/arm64/);
      const absent = toReference(open, `sha256:${"0".repeat(64)}`);
      expect(await readRefusal(publish(publisher, absent))).toMatch(/^REGISTRY_FAILED .*has no such image/);
    });

    test("private addresses are refused unless the operator allows them", async () => {
      const publisher = await givenPublisher();
      const image = await imageOf(publisher.organizationSlug, "2.0.0");
      const reference = toReference(open, await push(open, image));
      const closed = {
        ...platform,
        environment: { ...platform.environment, PLATFORM_PRIVATE_REGISTRIES: false },
      };
      expect(await readRefusal(publish(publisher, reference, {}, closed))).toMatch(
        /^BAD_INPUT The platform may not connect to 127\.0\.0\.1:\d+: it is on this machine/,
      );
    });

    test("credentials are needed where the registry asks for them, and are stored nowhere", async () => {
      const closed = await startRegistry({ credentials: "publisher:secret", hash: HASH });
      try {
        const publisher = await givenPublisher();
        const image = await imageOf(publisher.organizationSlug, "2.0.0");
        const reference = toReference(closed, await push(closed, image));
        const [username = "", password = ""] = closed.credentials.split(":");
        expect(await readRefusal(publish(publisher, reference))).toMatch(
          /^REGISTRY_FAILED .*Send a user name/,
        );
        const wrong = publish(publisher, reference, { username, password: "no" });
        expect(await readRefusal(wrong)).toMatch(/^REGISTRY_FAILED .*Check the user name/);
        await publish(publisher, reference, { username, password });
        const { rows } = await platform.pool.query<{ text: string }>(
          "select details::text as text from audit",
        );
        expect(rows.map(({ text }) => text).join("\n")).not.toContain(password);
      } finally {
        await closed.end();
      }
    });
  },
);

/** Answers as a registry that lies. */
async function withServer(listener: RequestListener, run: (host: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await run(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("redirects lead nowhere that the platform may not connect to", async () => {
  const publisher = await givenPublisher();
  const image = await imageOf(publisher.organizationSlug, "2.0.0");
  for (const location of ["http://169.254.169.254/latest", "http://[fd00:ec2::254]/", "http://2852039166/"])
    await withServer(
      ({ url = "" }, response) => {
        if (url.includes("/manifests/")) response.end(image.manifest);
        else response.writeHead(307, { location }).end();
      },
      async (host) => {
        const reference = `${host}/team/app@${toDigest(Buffer.from(image.manifest))}`;
        expect(await readRefusal(publish(publisher, reference)), location).toMatch(/^BAD_INPUT .*link-local/);
      },
    );
});

test("content that is not what its digest says is refused, however long it is", async () => {
  const publisher = await givenPublisher();
  const image = await imageOf(publisher.organizationSlug, "2.0.0");
  const digest = toDigest(Buffer.from(image.manifest));
  for (const [manifest, blob] of [
    [image.manifest.replace("schemaVersion", "schemaVersioN"), Buffer.alloc(0)],
    [image.manifest, Buffer.alloc(0)],
    [image.manifest, Buffer.alloc(5_000_000)],
  ] as const)
    await withServer(
      ({ url = "" }, response) => void response.end(url.includes("/manifests/") ? manifest : blob),
      async (host) => {
        const refusal = await readRefusal(publish(publisher, `${host}/team/app@${digest}`));
        expect(refusal).toMatch(/^WRONG_DIGEST .*sent something other/);
      },
    );
  await withServer(
    (_request, response) => void response.end("x".repeat(2_000_000)),
    async (host) => {
      expect(await readRefusal(publish(publisher, `${host}/team/app@${digest}`))).toMatch(/^NOT_AN_IMAGE /);
    },
  );
});

test("a reference without a digest is refused with the way to get it, and an unreachable registry with its reason", async () => {
  const publisher = await givenPublisher();
  expect(await readRefusal(publish(publisher, "registry.example/app:1.0"))).toMatch(
    /^BAD_INPUT .*no digest.*docker buildx imagetools inspect/,
  );
  let gone = "";
  await withServer(
    () => {},
    async (host) => void (gone = host),
  );
  expect(await readRefusal(publish(publisher, `${gone}/app@sha256:${"0".repeat(64)}`))).toMatch(
    /^REGISTRY_FAILED .*can't be reached \(ECONNREFUSED\)/,
  );
});

// Guarantee: of a registry's index, the image is chosen by the same rule as of an archive's (`cli/image/inspect-image.test.ts`).
const NAMES = (await listIndexCases("{}")).map(({ name }) => name);
test.each(NAMES)("an index of a registry: %s", async (name) => {
  const publisher = await givenPublisher();
  const content = { name: `${publisher.organizationSlug}/vin-lookup`, version: "2.0.0", app: { fields: [] } };
  const each = one((await listIndexCases(JSON.stringify(content))).filter((found) => found.name === name));
  const { root, documents, wanted, expected, fromRegistry = expected } = each;
  const listener: RequestListener = ({ url = "" }, response) => {
    const found = documents.get(url.split("/").at(-1) ?? "");
    if (found === undefined) response.writeHead(404).end();
    else response.end(found);
  };
  await withServer(listener, async (host) => {
    const publishing = publishVersion(platform, publisher, {
      appName: "vin-lookup",
      from: { from: `${host}/team/app@${root}` },
      wanted,
    });
    if (typeof fromRegistry === "string") expect((await publishing).imageDigest).toBe(fromRegistry);
    else expect(await readRefusal(publishing)).toMatch(fromRegistry);
  });
});

test("an index that is sent as the manifest of an image is refused with what to send instead", async () => {
  const publisher = await givenPublisher();
  const manifest = JSON.stringify({ schemaVersion: 2, manifests: [] });
  const publishing = publishVersion(platform, publisher, { appName: "vin-lookup", manifest });
  expect(await readRefusal(publishing)).toMatch(
    /^SEVERAL_IMAGES This is an index.*Send the manifest of the one for linux\/amd64/,
  );
});
