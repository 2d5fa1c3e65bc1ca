"use client";

import { useEffect } from "react";

interface ZoneReportProps {
  known: string | undefined;
  report: (zone: string) => Promise<void>;
}

/** Tells the server the browser's time zone once: no header carries it, and dates are rendered on the server. */
export function ZoneReport({ known, report }: ZoneReportProps) {
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    if (timeZone !== known) void report(timeZone);
  }, [known, report]);
  return null;
}
