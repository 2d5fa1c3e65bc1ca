import { useTranslations } from "next-intl";
import type { DragEvent as ReactDragEvent } from "react";
import type { Link } from "#lib/links/fields/schema";
import type { LinkChange } from "./link-group.ts";
import type { Selection } from "./use-selection.ts";

/** Elements with this attribute take links. Its value is the id of a folder, or empty for none. */
const dropAttribute = "data-folder";
/** Set on the element below the pointer. */
const overAttribute = "data-over";

interface Acts {
  change: (links: readonly Link[], change: LinkChange) => void;
  changeSelected: (change: LinkChange) => void;
}

function folderBelow({ target }: Event): Element | null {
  return target instanceof Element ? target.closest(`[${dropAttribute}]`) : null;
}

/** A handler for the start of a drag in a list: moves its link, or the selection that it belongs to, into a folder. */
export function useFolderDrop(shown: readonly Link[], selection: Selection, acts: Acts | null) {
  const t = useTranslations("linkGroup");

  return (start: ReactDragEvent) => {
    const row = start.target instanceof Element && start.target.closest("[data-link]");
    const link = shown.find(({ id }) => row && id === row.getAttribute("data-link"));
    if (!acts || !link) return;
    const isSelected = selection.has(link.id);
    start.dataTransfer.setData("text/plain", link.shortLink);
    if (isSelected && selection.count > 1) {
      const text = t(selection.all ? "allSelected" : "selected", { count: selection.count });
      showCount(start.dataTransfer, text);
    }
    followDrag((id) => {
      const change = { folderId: id || null };
      if (isSelected) acts.changeSelected(change);
      else acts.change([link], change);
    });
  };
}

function showCount(dragged: DataTransfer, text: string): void {
  const image = document.createElement("div");
  image.textContent = text;
  image.className = "fixed -top-96 rounded-md bg-solid px-3 py-2 text-on-solid text-sm";
  document.body.append(image);
  dragged.setDragImage(image, -8, -8);
  // The browser copies the image after this event.
  setTimeout(() => image.remove());
}

/** Marks the folder below the pointer, until the drag ends there or anywhere else. */
function followDrag(onDrop: (folder: string) => void): void {
  const drag = new AbortController();
  const { signal } = drag;
  let marked: Element | null = null;
  const mark = (next: Element | null) => {
    if (next === marked) return;
    marked?.removeAttribute(overAttribute);
    next?.setAttribute(overAttribute, "");
    marked = next;
  };
  const over = (event: DragEvent) => {
    mark(folderBelow(event));
    // The browser allows a drop only where this event was taken.
    if (marked) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const folder = folderBelow(event)?.getAttribute(dropAttribute);
    if (typeof folder !== "string") return;
    event.preventDefault();
    onDrop(folder);
  };
  const end = () => {
    mark(null);
    drag.abort();
  };
  document.addEventListener("dragover", over, { signal });
  document.addEventListener("drop", drop, { signal });
  document.addEventListener("dragend", end, { signal });
}
