import { signUpInput } from "@/lib/contract/accounts/account";
import { requestSignUp } from "@/lib/server/accounts/request-sign-up";
import { currentClient } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/sign-up", {
  body: signUpInput,
  created: true,
  run: async ({ platform, body }) => requestSignUp(platform, body, await currentClient()),
});
