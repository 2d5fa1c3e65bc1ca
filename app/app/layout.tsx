import type { ReactNode } from "react";
import { ZoneReport } from "#components/shell/zone-report";
import { findPersonZone } from "#lib/platform/messages";
import { storeZone } from "../preference-actions.ts";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <ZoneReport known={await findPersonZone()} report={storeZone} />
    </>
  );
}
