import type { ListingInput } from "@/lib/contract/listing";
import type { Manifest } from "@/lib/contract/manifest";

/**
 * An app of the demo's marketplace. It runs the code of `examples/small-app`, or that of a folder of its own. Its pictures are
 * `pictures/<appName>/icon.webp`, `1.webp`, `2.webp` and so on.
 */
export interface CatalogApp
  extends
    Required<Pick<ListingInput, "appName" | "title" | "tagline" | "category">>,
    Pick<Manifest, "app" | "core"> {
  product: string;
  offering: string;
  technicalDetails: string;
  launchInstructions: string;
  complianceDetails: string;
  /** One for each screenshot. */
  captions: readonly string[];
  version: string;
  releaseNotes: string;
}
