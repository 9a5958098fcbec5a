import { newPasswordInput } from "@/lib/contract/accounts/account";
import { setNewPassword } from "@/lib/server/accounts/set-password";
import { currentClient, rememberDevice } from "@/lib/server/surface/web/cookies";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/new-password", {
  body: newPasswordInput,
  run: async ({ platform, body }) => {
    const { userId, email } = await setNewPassword(platform, body, await currentClient());
    // The owner can sign in with it, even while strangers use up the limits of the account.
    await rememberDevice(userId);
    return { email };
  },
});
