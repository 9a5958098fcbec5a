import { signUpInput } from "@/lib/contract/organization";
import { requestSignUp } from "@/lib/server/identity/request-sign-up";
import { currentClient } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/sign-up", {
  body: signUpInput,
  created: true,
  run: async ({ platform, body }) => requestSignUp(platform, body, await currentClient()),
});
