"use client";

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import {
  browserZone,
  nameZone,
  type PersonalZone,
  UTC,
  writeZoneCookie,
  ZONE_COOKIE,
} from "@/lib/domain/platform/zone";

interface ZoneChoice {
  zone: string;
  chosen: boolean;
  /** Without a zone, it is the browser's again. */
  choose: (zone: string | undefined) => void;
}

const ZoneContext = createContext<ZoneChoice | undefined>(undefined);

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The zone in which a person reads all times: the account's, or the browser's own. The server knows that one from a cookie, so that its
 * pages and the browser's agree; without a cookie, it writes UTC until the browser has named its zone.
 */
export function ZoneProvider({
  personal,
  children,
}: {
  personal: PersonalZone | undefined;
  children: ReactNode;
}) {
  const given = personal?.chosen === true ? personal.zone : undefined;
  const [{ before, chosen }, setState] = useState({ before: given, chosen: given });
  // Somebody else signed in, or chose another zone in another browser.
  if (before !== given) setState({ before: given, chosen: given });
  // People travel: a zone that nobody chose is the one of the browser.
  const own = useSyncExternalStore(subscribe, browserZone, () => personal?.zone ?? UTC);
  useEffect(() => keep({ zone: chosen ?? browserZone(), chosen: chosen !== undefined }), [chosen]);
  const choose = (zone: string | undefined) => {
    // Before a page that is read again.
    keep({ zone: zone ?? browserZone(), chosen: zone !== undefined });
    setState({ before: given, chosen: zone });
  };
  return (
    <ZoneContext value={{ zone: chosen ?? own, chosen: chosen !== undefined, choose }}>
      {children}
    </ZoneContext>
  );
}

/** A browser doesn't say when its zone changes. */
const subscribe = () => () => {};

function keep(personal: PersonalZone): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${ZONE_COOKIE}=${writeZoneCookie(personal)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}

export function useZone(): string {
  const choice = useContext(ZoneContext);
  return choice === undefined ? browserZone() : choice.zone;
}

/** For the page on which the zone is chosen. */
export function useZoneChoice(): ZoneChoice {
  const choice = useContext(ZoneContext);
  return choice ?? { zone: browserZone(), chosen: false, choose: () => {} };
}

/** Names the zone of the times beside it: `Europe/Zurich, UTC+1`. */
export function ZoneName({ at }: { at?: Date | string | number }) {
  const zone = useZone();
  return <span translate="no">{nameZone(zone, at)}</span>;
}
