import { newPasswordInput } from "@/lib/contract/account";
import { setNewPassword } from "@/lib/server/account/set-password";
import { currentClient, rememberDevice } from "@/lib/server/web/client";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/new-password", {
  body: newPasswordInput,
  run: async ({ platform, body }) => {
    const { userId, email } = await setNewPassword(platform, body, await currentClient());
    // The owner can sign in with it, even while strangers use up the limits of the account.
    await rememberDevice(userId);
    return { email };
  },
});
