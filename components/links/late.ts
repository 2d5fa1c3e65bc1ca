"use client";

/** Parts that a list of links needs once somebody does something: their scripts come then. */
import dynamic from "next/dynamic";

export const LinkEditor = dynamic(() => import("./link-editor.tsx").then((one) => one.LinkEditor), {
  ssr: false,
});

export const SelectionBar = dynamic(
  () => import("./selection-bar.tsx").then((one) => one.SelectionBar),
  { ssr: false },
);

export const FilterFields = dynamic(
  () => import("./filter-fields.tsx").then((one) => one.FilterFields),
  { ssr: false },
);

/** Drawn by the server too: an address that names filters begins with them. */
export const FilterChips = dynamic(() =>
  import("./filter-chips.tsx").then((one) => one.FilterChips),
);

export const DeleteDialog = dynamic(
  () => import("./delete-dialog.tsx").then((one) => one.DeleteDialog),
  { ssr: false },
);

export const LookFields = dynamic(() => import("./look-fields.tsx").then((one) => one.LookFields), {
  ssr: false,
});
