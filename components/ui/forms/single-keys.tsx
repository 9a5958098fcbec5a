"use client";

import { useStore } from "zustand";
import { setSingleKeys, singleKeys } from "../typing";
import { Checkbox } from "./toggles";

/** For people whose speech input types single keys by accident. */
export function SingleKeys() {
  const isOn = useStore(singleKeys, (state) => state.isOn);
  return (
    <div className="mr-auto">
      <Checkbox value={isOn} onChange={setSingleKeys}>
        Press ? to open this list
      </Checkbox>
    </div>
  );
}
