import { test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleOffer } from "@/tests/samples/configuration";
import { UpgradeForm } from "./upgrade-form";

test("an upgrade that needs answers, with problems", async () => {
  const offer = sampleOffer({
    checksConfiguration: true,
    changes: [
      { kind: "setting", change: "added", name: "note", title: "Note", details: [] },
      {
        kind: "setting",
        change: "changed",
        name: "factor",
        title: "Factor",
        details: [{ member: "title", before: "Multiplier", after: "Factor" }],
      },
    ],
    dropped: ["Old key"],
  });
  await renderPage(<UpgradeForm offer={offer} isRunning why={undefined} />);
  await checkAppearance("upgrade");
  await page.getByRole("button", { name: /^Upgrade to/ }).click();
  await checkAppearance("upgrade, problems");
});

test("a rollback, and an upgrade that cannot start now", async () => {
  const nothing = { asks: [], offers: [] };
  const { unmount } = await renderPage(
    <UpgradeForm offer={sampleOffer({ rollback: true, ...nothing })} isRunning why={undefined} />,
  );
  await checkAppearance("upgrade, rollback");
  await unmount();
  const why = { title: "It is being stopped", text: "Start it again to upgrade it." };
  await renderPage(<UpgradeForm offer={sampleOffer(nothing)} isRunning={false} why={why} />);
  await checkAppearance("upgrade, blocked");
});
