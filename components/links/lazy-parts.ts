"use client";

/** Parts of a link list that are loaded on the first interaction. */
import dynamic from "next/dynamic";

export const LinkEditor = dynamic(() => import("./link-editor.tsx").then((one) => one.LinkEditor), {
  ssr: false,
});

export const ViewsList = dynamic(() => import("./views-list.tsx").then((one) => one.ViewsList), {
  ssr: false,
});

export const ListJobNote = dynamic(() => import("./list-job.tsx").then((one) => one.ListJobNote));

export const SelectionBar = dynamic(
  () => import("./selection-bar.tsx").then((one) => one.SelectionBar),
  { ssr: false },
);

export const FilterFields = dynamic(
  () => import("./filter-fields.tsx").then((one) => one.FilterFields),
  { ssr: false },
);

/** Also rendered by the server: a URL with filters starts with them. */
export const FilterChips = dynamic(() =>
  import("./filter-chips.tsx").then((one) => one.FilterChips),
);

export const DeleteDialog = dynamic(
  () => import("./delete-dialog.tsx").then((one) => one.DeleteDialog),
  { ssr: false },
);

export const LookFields = dynamic(
  () => import("./display-fields.tsx").then((one) => one.DisplayFields),
  {
    ssr: false,
  },
);
