import { drillBadKey } from "./bad-key";
import { drillKill, drillRestart } from "./restarts";
import { drillSlowCore } from "./slow-core";
import type { Stage, Verdict } from "./stage";
import { drillTwoCustomers } from "./two-customers";

type Name = "slow-core" | "expired-key" | "unknown-key" | "two-customers" | "restart" | "kill";

export function runDrill(name: Name, stage: Stage): Promise<Verdict> {
  switch (name) {
    case "slow-core":
      return drillSlowCore(stage);
    case "expired-key":
      return drillBadKey(stage, "expired");
    case "unknown-key":
      return drillBadKey(stage, "unknown");
    case "two-customers":
      return drillTwoCustomers(stage);
    case "restart":
      return drillRestart(stage);
    case "kill":
      return drillKill(stage);
  }
}
