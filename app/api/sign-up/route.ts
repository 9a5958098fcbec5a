import { signUpInput } from "@/lib/contract/organization";
import { signUp } from "@/lib/server/identity/sign-up";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/sign-up", {
  body: signUpInput,
  created: true,
  run: ({ platform, body }) => signUp(platform, body),
});
