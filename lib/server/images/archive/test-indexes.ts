/** For tests: indexes of several images as builders, engines and registries write them, each as an archive and as a registry's documents. */
import { gzipSync } from "node:zlib";
import { INDEX_TYPES, MANIFEST_TYPES } from "./image";
import { createConfig, createTar, toDigest } from "./test-archives";

interface Named {
  mediaType: string;
  digest: string;
  size: number;
  platform?: { os: string; architecture: string; variant?: string };
  annotations?: Record<string, string>;
}

export interface IndexCase {
  name: string;
  /** The index, or the image. */
  root: string;
  /** By digest. What is missing is not here. */
  documents: ReadonlyMap<string, Buffer>;
  wanted?: string;
  /** The digest of the configuration of the image that is chosen, or the refusal. */
  expected: string | RegExp;
  /** Of a registry, if it is another one. */
  fromRegistry?: RegExp;
}

/** As an OCI layout: index.json refers to the index, or is the index. */
export function indexArchiveOf({ root, documents }: IndexCase, isFlat: boolean): Promise<Buffer> {
  const content = documents.get(root) ?? Buffer.alloc(0);
  const reference = { digest: root, size: content.length };
  const blobs = [...documents].map(([digest, blob]) => ({
    name: `blobs/${digest.replace(":", "/")}`,
    content: blob,
  }));
  const index = isFlat ? content : JSON.stringify({ schemaVersion: 2, manifests: [reference] });
  return createTar([{ name: "oci-layout", content: "{}" }, { name: "index.json", content: index }, ...blobs]);
}

/** @param manifest the app's, in each of the images */
export async function listIndexCases(manifest: string): Promise<IndexCase[]> {
  const documents = new Map<string, Buffer>();
  const configs = new Map<string, string>();
  const put = (content: Buffer, mediaType: string): Named => {
    const digest = toDigest(content);
    documents.set(digest, content);
    return { mediaType, digest, size: content.length };
  };
  const [indexType = "", manifestType = ""] = [INDEX_TYPES[0], MANIFEST_TYPES[0]];
  const document = (content: object, mediaType: string) =>
    put(Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...content })), mediaType);
  const index = (...manifests: object[]) => document({ manifests }, indexType);
  const layer = await createTar([{ name: "platform-app.json", content: manifest }]);
  const stored = put(gzipSync(layer), "application/vnd.oci.image.layer.v1.tar+gzip");
  const image = (which: string, architecture = "amd64") => {
    const config = createConfig({ layers: [layer], architecture, config: { Env: [`WHICH=${which}`] } });
    const named = document(
      { config: put(config, "application/vnd.oci.image.config.v1+json"), layers: [stored] },
      manifestType,
    );
    configs.set(which, toDigest(config));
    return named;
  };
  const configOf = (which: string) => configs.get(which) ?? "";
  const on = (at: Named, architecture: string, variant?: string) => ({
    ...at,
    platform: { os: "linux", architecture, ...(variant !== undefined && { variant }) },
  });
  const lost = (at: Named) => ({ ...at, digest: toDigest(Buffer.from(`lost ${at.digest}`)) });

  const plain = image("plain");
  const arm = on(image("arm", "arm64"), "arm64", "v8");
  const amd = on(plain, "amd64");
  const v1 = on(plain, "amd64", "v1");
  const v2 = on(image("v2"), "amd64", "v2");
  const v3 = on(image("v3"), "amd64", "v3");
  const twin = on(image("twin"), "amd64");
  const attestation = {
    ...document(
      { config: put(Buffer.from("{}"), "application/vnd.oci.empty.v1+json"), layers: [] },
      manifestType,
    ),
    platform: { os: "unknown", architecture: "unknown" },
    annotations: { "vnd.docker.reference.type": "attestation-manifest" },
  };
  const { platform: _none, ...withoutPlatform } = attestation;
  const signature = document(
    {
      artifactType: "application/vnd.example.signature",
      config: put(Buffer.from("{}"), "application/vnd.oci.empty.v1+json"),
      layers: [],
    },
    manifestType,
  );

  const variants = index(amd, v2, v3, arm);
  const cases: Omit<IndexCase, "documents">[] = [];
  const add = (name: string, root: Named, expected: string | RegExp, more: Partial<IndexCase> = {}) =>
    cases.push({ name, root: root.digest, expected, ...more });
  add("amd64 and arm64", index(arm, amd), configOf("plain"));
  add(
    "the other architecture wanted",
    index(arm, amd),
    /^WRONG_ARCHITECTURE Apps run on linux\/amd64, so the image for linux\/arm64\/v8/,
    { wanted: "linux/arm64/v8" },
  );
  add(
    "variants",
    variants,
    /^SEVERAL_IMAGES There are 3 images for linux\/amd64: linux\/amd64, linux\/amd64\/v2, linux\/amd64\/v3\. .*--platform/,
  );
  add("variants, the first wanted", variants, configOf("plain"), { wanted: "linux/amd64" });
  add("variants, the second wanted", variants, configOf("v2"), { wanted: "linux/amd64/v2" });
  add("variants, the third wanted", variants, configOf("v3"), { wanted: "linux/amd64/v3" });
  add(
    "variants, another wanted",
    variants,
    /^WRONG_ARCHITECTURE There is no image for linux\/amd64\/v4\. There are images for linux\/amd64, /,
    { wanted: "linux/amd64/v4" },
  );
  add("variants from v1 on", index(v1, v2), configOf("plain"), { wanted: "linux/amd64/v1" });
  add("only a variant", index(v3, arm), configOf("v3"));
  add("attestations", index(amd, attestation, arm, attestation), configOf("plain"));
  add("attestations without a platform", index(amd, withoutPlatform), configOf("plain"));
  add("a signature beside the image", index(amd, signature), configOf("plain"));
  add("nothing but attestations", index(attestation), /^NOT_AN_IMAGE .*leads to no image/);
  add(
    "only arm64",
    index(arm),
    /^WRONG_ARCHITECTURE The image is for linux\/arm64\/v8, but apps run on linux\/amd64/,
  );
  add("no platforms", index(plain, image("arm", "arm64")), configOf("plain"));
  add("an index in an index", index(index(arm, amd), attestation), configOf("plain"));
  add("an index for amd64 in an index", index(arm, on(index(amd), "amd64")), configOf("plain"));
  add("variants in indexes", index(index(amd), index(v2)), configOf("v2"), { wanted: "linux/amd64/v2" });
  add("indexes without an end", index(index(index(index(amd)))), /^NOT_AN_IMAGE .*nested too deeply/);
  add("a missing image of another platform", index(lost(arm), amd), configOf("plain"));
  add(
    "a missing image",
    index(arm, lost(amd)),
    /^BLOB_MISSING The archive lists an image for linux\/amd64, but doesn't contain it\. .*--platform linux\/amd64/,
    {
      fromRegistry:
        /^REGISTRY_FAILED The index lists an image for linux\/amd64, which .* doesn't have in team\/app/,
    },
  );
  add("missing variants", index(amd, lost(v2), lost(v3)), configOf("plain"));
  add(
    "missing variants, one of them wanted",
    index(amd, lost(v2)),
    /^BLOB_MISSING The archive lists an image for linux\/amd64\/v2,/,
    {
      wanted: "linux/amd64/v2",
      fromRegistry: /^REGISTRY_FAILED The index lists an image for linux\/amd64\/v2,/,
    },
  );
  add("a missing document", index(lost(plain), amd), /^BLOB_MISSING /, {
    fromRegistry: /^REGISTRY_FAILED .*no such image/,
  });
  add("the same image twice", index(amd, amd), configOf("plain"));
  add("the same image for two variants", index(amd, on(plain, "amd64", "v2")), configOf("plain"), {
    wanted: "linux/amd64/v2",
  });
  add(
    "two images for the same platform",
    index(amd, twin),
    /^SEVERAL_IMAGES There are 2 images for linux\/amd64\. Name the digest/,
  );
  add("two images, the platform wanted", index(amd, twin), /^SEVERAL_IMAGES /, { wanted: "linux/amd64" });
  add(
    "an image that is listed as another",
    index(on(image("arm", "arm64"), "amd64")),
    /^INDEX_DISAGREES The index lists the image for linux\/amd64, but it is for linux\/arm64/,
  );
  return cases.map((each) => ({ ...each, documents }));
}
