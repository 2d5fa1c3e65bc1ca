"use client";

/** Only the demo needs it: other pages do not load it. */
import dynamic from "next/dynamic";

export const DemoBanner = dynamic(() => import("./demo-banner.tsx").then((one) => one.DemoBanner));
