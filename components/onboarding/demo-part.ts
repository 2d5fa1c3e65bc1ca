"use client";

/** Loaded on demand, because only the demo needs it. */
import dynamic from "next/dynamic";

export const DemoBanner = dynamic(() => import("./demo-banner.tsx").then((one) => one.DemoBanner));
