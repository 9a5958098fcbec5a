import { isId } from "@/lib/contract/platform/text";
import { type CapacityUse, measureCapacity } from "@/lib/domain/platform/app-limits";
import { selectImagesUsed } from "../../catalog/picture-queries";
import { readStorageUse, type StorageUse } from "../../catalog/store-version";
import { searchText } from "../../platform/database/expressions";
import { type CursorKind, readPage } from "../../platform/database/paging";
import { readAppLimits, readCapacityQuota } from "../../platform/environment";
import type { Platform } from "../../platform/platform";
import { readCapacityUse } from "../../runtime/reserve-instance";
import { LARGEST, type Largest, selectUsage, type UsageCursor, type UsageRow } from "./usage-queries";

const MEGABYTE = 1_000_000;

interface Usage {
  capacity: CapacityUse;
  /** Of images. */
  storage: StorageUse;
  /** Of the pictures in its listings. */
  pictures: StorageUse;
  /** How many uploads each gateway accepts at the same time. */
  uploadsAtOnce: number;
}

/** What an organization uses of what it may use. */
export async function readUsage(platform: Platform, organizationId: string): Promise<Usage> {
  const { db, environment } = platform;
  const [capacity, storage, pictures] = await Promise.all([
    readCapacityUse(platform, organizationId),
    readStorageUse(platform, organizationId),
    selectImagesUsed(db, organizationId),
  ]);
  return {
    capacity,
    storage,
    pictures: { usedBytes: pictures, quotaBytes: environment.PLATFORM_IMAGE_QUOTA_MB * MEGABYTE },
    uploadsAtOnce: environment.PLATFORM_SHARE_UPLOADS.each,
  };
}

const PAGE = 25;
const MB = 1_000_000;

interface UsageQuery {
  /** From the URL, like the rest: an unknown order means by running apps, an invalid cursor the first page. */
  by?: string;
  search?: string;
  /** `<what the organization had>.<its id>` */
  after?: string;
}

interface OrganizationUsage {
  id: string;
  name: string;
  slug: string;
  capacity: CapacityUse;
  storage: { usedBytes: number; quotaBytes: number };
}

/** What every organization uses of its quotas, largest first, for the platform's operators. */
export async function listUsage({ db, environment }: Platform, query: UsageQuery) {
  const by: Largest = LARGEST.find((one) => one === query.by) ?? "apps";
  const search = searchText(query.search);
  const cursors: CursorKind<UsageCursor, UsageRow> = {
    read: readCursor,
    write: (row) => `${row[by]}.${row.id}`,
  };
  const { rows, ...pages } = await readPage(query.after, PAGE, cursors, (position, limit) =>
    selectUsage(db, { by, search, position, limit }),
  );
  const [limits, quota] = [readAppLimits(environment), readCapacityQuota(environment)];
  const quotaBytes = environment.PLATFORM_STORAGE_QUOTA_MB * MB;
  const organizations = rows.map(({ id, name, slug, apps, storage }): OrganizationUsage => {
    const capacity = measureCapacity(apps, limits, quota);
    return { id, name, slug, capacity, storage: { usedBytes: storage, quotaBytes } };
  });
  return { by, organizations, total: rows[0]?.total ?? 0, ...pages };
}

function readCursor(text: string): UsageCursor | undefined {
  const [, value = "", id = ""] = /^(\d{1,15})\.([0-9a-f-]+)$/.exec(text) ?? [];
  return isId(id) ? { value: Number(value), id } : undefined;
}
