import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignOutForm } from "@/components/accounts/sign-in/sign-out";
import { localPath } from "@/lib/domain/accounts/sign-in";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Sign out" };

export default page("/sign-out", ({ actor, searchParams }) => {
  const next = localPath(searchParams.next, "/");
  if (actor === undefined) redirect(next === "/" ? "/sign-in" : next);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Sign out?</h1>
      <p className="mt-1 mb-8 text-ink-soft">You are signed in as {actor.email}. Your apps keep running.</p>
      <SignOutForm next={next} />
    </>
  );
});
