import { LRUCache } from "lru-cache";
import { ImageResponse } from "next/og";
import sharp from "sharp";
import { type Category, CATEGORY_NAMES } from "@/lib/contract/catalog/listing-terms";
import { Problem } from "@/lib/contract/platform/problem";
import type { Platform } from "../platform/platform";
import { requireListing } from "./marketplace";
import { selectImageBytes } from "./picture-queries";

const SIZE = { width: 1200, height: 630 };
const HEADERS = {
  "content-type": "image/png",
  "cache-control": "public, max-age=3600",
  "cross-origin-resource-policy": "cross-origin",
};

/** Drawing takes a tenth of a second of a core: one at a time, and what was drawn is kept. */
const drawn = new LRUCache<string, Buffer>({ max: 200 });
const WAITING = 20;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * The picture that link previews show of a listing that everyone finds. NOT_FOUND for all others. Throws OVERLOADED while too many
 * wait.
 */
export async function serveSocialImage(
  platform: Platform,
  organization: string,
  app: string,
): Promise<Response> {
  const name = { organizationSlug: organization, appName: app };
  const { listing } = await requireListing(platform, name, { moderator: false });
  const key = `${listing.id} ${listing.updatedAt.getTime()}`;
  const image =
    drawn.get(key) ?? (await inTurn(async () => draw(listing, await readIcon(platform, listing.icon))));
  drawn.set(key, image);
  return new Response(new Uint8Array(image), { headers: HEADERS });
}

async function inTurn(work: () => Promise<Buffer>): Promise<Buffer> {
  if (waiting >= WAITING)
    throw new Problem("OVERLOADED", "Too many previews are being generated. Try again in a moment.");
  waiting += 1;
  const turn = last.then(work);
  last = turn.catch(() => undefined);
  return turn.finally(() => (waiting -= 1));
}

/** Icons were stored with 256 × 256 pixels. */
const ICON_PIXELS = 256 * 256;

async function readIcon({ db }: Platform, icon: string | null): Promise<string | undefined> {
  const bytes = icon === null ? undefined : await selectImageBytes(db, icon);
  if (bytes === undefined) return undefined;
  const png = await sharp(bytes, { limitInputPixels: ICON_PIXELS })
    .resize(160, 160, { fit: "inside" })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}

interface Drawn {
  title: string;
  tagline: string;
  appName: string;
  category: Category;
  organizationName: string;
}

/** With the font that Next includes. Letters that it lacks are left out, because Next would fetch others from the internet. */
export async function draw(listing: Drawn, icon?: string): Promise<Buffer> {
  const title = keepDrawable(listing.title) || listing.appName;
  const tagline = keepDrawable(listing.tagline);
  const publisher = keepDrawable(listing.organizationName);
  const column = { display: "flex", flexDirection: "column" } as const;
  const content = (
    <div
      style={{
        ...column,
        width: "100%",
        height: "100%",
        padding: 72,
        background: "#0d0f12",
        color: "#eff1f4",
        justifyContent: "space-between",
      }}
    >
      <div style={{ display: "flex", alignItems: "center" }}>
        {icon === undefined ? (
          <div
            style={{
              display: "flex",
              width: 144,
              height: 144,
              borderRadius: 28,
              background: "#1b2340",
              color: "#95aaff",
              fontSize: 80,
              alignItems: "center",
              justifyContent: "center",
            }}
          >
            {[...title][0]?.toUpperCase()}
          </div>
        ) : (
          // eslint-disable-next-line @next/next/no-img-element, jsx-a11y/alt-text -- It is drawn, not shown by a browser.
          <img src={icon} width={144} height={144} style={{ borderRadius: 28 }} />
        )}
      </div>
      <div style={column}>
        <div
          style={{
            display: "flex",
            fontSize: title.length > 40 ? 56 : 76,
            letterSpacing: "-0.02em",
            lineHeight: 1.1,
          }}
        >
          {title}
        </div>
        {tagline !== "" && (
          <div style={{ display: "flex", marginTop: 20, fontSize: 34, lineHeight: 1.3, color: "#bcc3cd" }}>
            {tagline}
          </div>
        )}
      </div>
      <div style={{ display: "flex", justifyContent: "space-between", fontSize: 28, color: "#969eaa" }}>
        <div style={{ display: "flex" }}>
          {publisher === "" ? "" : `by ${publisher} · ${CATEGORY_NAMES[listing.category]}`}
        </div>
        <div style={{ display: "flex" }}>App Hosting</div>
      </div>
    </div>
  );
  return Buffer.from(await new ImageResponse(content, SIZE).arrayBuffer());
}

/** Latin letters, and the punctuation of English. */
export function keepDrawable(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[^\u0020-\u007E\u00A0-\u017F\u2013\u2014\u2018\u2019\u201C\u201D\u2026]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}
