"use client";

/** Parts of a link list that are loaded on the first interaction. */
import { lazyPart } from "#components/messages/lazy-part";

export const LinkEditor = lazyPart(() => import("./link-editor.tsx").then((one) => one.LinkEditor));

export const QuickEditor = lazyPart(() =>
  import("./quick-editor.tsx").then((one) => one.QuickEditor),
);

export const MoveDialog = lazyPart(() =>
  import("./folder-picker.tsx").then((one) => one.MoveDialog),
);

export const ViewsList = lazyPart(() => import("./views-list.tsx").then((one) => one.ViewsList));

/** Also rendered by the server, because a page may be opened while a job is running. */
export const ListJobNote = lazyPart(() => import("./list-job.tsx").then((one) => one.ListJobNote), {
  server: true,
});

export const SelectionBar = lazyPart(() =>
  import("./selection-bar.tsx").then((one) => one.SelectionBar),
);

export const FilterFields = lazyPart(() =>
  import("./filter-fields.tsx").then((one) => one.FilterFields),
);

/** Also rendered by the server, because a URL may start with filters. */
export const FilterChips = lazyPart(
  () => import("./filter-chips.tsx").then((one) => one.FilterChips),
  { server: true },
);

/** Also rendered by the server, because an email links to a list of links that retire soon. */
export const RetiringNote = lazyPart(
  () => import("./retiring-note.tsx").then((one) => one.RetiringNote),
  { server: true },
);

export const DeleteDialog = lazyPart(() =>
  import("./delete-dialog.tsx").then((one) => one.DeleteDialog),
);

export const LookFields = lazyPart(() =>
  import("./display-fields.tsx").then((one) => one.DisplayFields),
);
