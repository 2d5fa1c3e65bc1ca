"use client";

/** Loaded on demand, because only people who created links before they signed in need it. */
import dynamic from "next/dynamic";

export const ClaimBanner = dynamic(() =>
  import("./claim-banner.tsx").then((one) => one.ClaimBanner),
);
