/** Creates the listing of an app. */
import { listingInput } from "@/lib/contract/catalog/listing";
import { checkInput } from "@/lib/contract/platform/problem";
import { createdApp, createListingInput } from "@/lib/contract/surface/own-app";
import { toAgent } from "../../../accounts/credentials/authenticate-api-key";
import { ensureListing } from "../../../catalog/own-listings";
import { apiKey, requireOwnOrganization } from "./credentials";
import { webPage } from "./exchange";
import { json, route, SAMPLE } from "./route";

export const creation = route({
  name: "POST /publish/v1/apps/<organization>/<app>/listing",
  credential: apiKey("listings:create"),
  summary: "Create the listing of an app",
  description:
    "The listing starts as a draft that only the organization sees. A request can be repeated: if the organization has this " +
    "listing already, nothing changes, and `created` is false. The API key needs the scope `listings:create`.",
  body: json(createListingInput, {
    title: "VIN lookup",
    tagline: "Fills in vehicles from their VIN.",
    category: "data",
    about: { product: "Looks up a vehicle by its VIN, and fills in make, model and year." },
  }),
  status: 201,
  answer: json(createdApp, {
    app: "acme/vin-lookup",
    title: "VIN lookup",
    state: "DRAFT",
    created: true,
    page: SAMPLE.page,
  }),
  problems: ["NOT_FOUND", "WRONG_STATE"],
  run: async ({ platform, caller, parts: [owner = "", appName = ""], body }) => {
    const agent = toAgent(caller);
    requireOwnOrganization(agent, owner);
    const { listing, isNew } = await ensureListing(
      platform,
      agent,
      checkInput(listingInput, { ...body, appName }),
    );
    return {
      app: `${agent.organization.slug}/${listing.appName}`,
      title: listing.title,
      state: listing.state,
      created: isNew,
      page: webPage(platform, `/publish/${listing.appName}`),
    };
  },
});
