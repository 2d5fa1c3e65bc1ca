"use client";

import { useEffect } from "react";

interface ZoneReportProps {
  known: string | undefined;
  report: (zone: string) => Promise<void>;
}

/** Reports the browser's time zone to the server once: no header contains it, and dates are rendered on the server. */
export function ZoneReport({ known, report }: ZoneReportProps) {
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    if (timeZone !== known) void report(timeZone);
  }, [known, report]);
  return null;
}
