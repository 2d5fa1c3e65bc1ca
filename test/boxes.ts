/** Measures the boxes of a page as a designer would look at them: what is cut, what overlaps, what leaves its card. */
import type { Page } from "@playwright/test";

/** Fractions of pixels, borders and the slack of line boxes. */
const slackPixels = 2;

/** Faults with the texts of their elements; empty for a page without any. */
export async function findBoxFaults(page: Page): Promise<string[]> {
  const functions = [
    isVisible,
    nameOf,
    isEmpty,
    shownPart,
    hasText,
    listTexts,
    listBoxes,
    layerOf,
    isOverlap,
    findOverlaps,
    isFramed,
    isCut,
    findCut,
    findEscaped,
    measure,
  ];
  // tsx wraps functions in `__name`, which the browser does not have.
  return await page.evaluate(`(() => {
    const __name = (value) => value;
    const slackPixels = ${slackPixels};
    ${functions.join("\n")}
    return measure();
  })()`);
}

// The functions below run in the browser, and use nothing but each other.

interface Box {
  element: Element;
  rect: DOMRect;
  name: string;
}

function isVisible(element: Element): boolean {
  return (
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest("[inert], [aria-hidden=true]:not(svg), .sr-only") === null
  );
}

function nameOf(element: Element): string {
  const text = (element.textContent ?? "").trim() || element.getAttribute("aria-label") || "";
  const shape = element.getAttribute("class") ?? "";
  return text ? `${element.localName} “${text.slice(0, 40)}”` : `${element.localName} ${shape}`;
}

function isEmpty({ width, height }: DOMRect): boolean {
  return width < 1 || height < 1;
}

/** The part of a box that its scrolling or clipping ancestors show. */
function shownPart(element: Element, rect: DOMRect): DOMRect {
  let { left, right, top, bottom } = rect;
  for (let parent: Element | null = element; parent; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflow === "visible") continue;
    const frame = parent.getBoundingClientRect();
    left = Math.max(left, frame.left);
    right = Math.min(right, frame.right);
    top = Math.max(top, frame.top);
    bottom = Math.min(bottom, frame.bottom);
  }
  return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
}

function hasText(node: Node): boolean {
  return node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? "").trim() !== "";
}

/** A box per line of text. */
function listTexts(): Box[] {
  const elements = [
    ...document.querySelectorAll("body *:not(svg *, option, script, style, noscript, template)"),
  ].filter((element) => [...element.childNodes].some(hasText) && isVisible(element));
  return elements.flatMap((element) =>
    [...element.childNodes].filter(hasText).flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()]
        .map((line) => ({ element, rect: shownPart(element, line), name: nameOf(element) }))
        .filter(({ rect }) => !isEmpty(rect));
    }),
  );
}

function listBoxes(selector: string): Box[] {
  return [...document.querySelectorAll(selector)]
    .filter((element) => isVisible(element))
    .map((element) => ({
      element,
      rect: shownPart(element, element.getBoundingClientRect()),
      name: nameOf(element),
    }))
    .filter(({ rect }) => !isEmpty(rect) && rect.width > slackPixels);
}

/** Boxes of different layers, such as a dialog and the page below it, may overlap. */
function layerOf(element: Element): Element {
  for (let one: Element | null = element; one; one = one.parentElement) {
    if (one.matches("dialog, [role=dialog], [popover]")) return one;
    if (/absolute|fixed|sticky/.test(getComputedStyle(one).position)) return one;
  }
  return document.body;
}

function isOverlap(one: Box, other: Box): boolean {
  if (one.element.contains(other.element) || other.element.contains(one.element)) return false;
  const [a, b] = [one.rect, other.rect];
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > slackPixels && height > slackPixels * 2;
}

function findOverlaps(boxes: Box[]): string[] {
  const layers = new Map<Element, Box[]>();
  for (const box of boxes) {
    const layer = layerOf(box.element);
    layers.set(layer, [...(layers.get(layer) ?? []), box]);
  }
  return [...layers.values()].flatMap((members) =>
    members.flatMap((one, at) =>
      members
        .slice(at + 1)
        .filter((other) => isOverlap(one, other))
        .map((other) => `overlap: ${one.name} and ${other.name}`),
    ),
  );
}

/** Whether its own box cuts it, without a sign such as three dots. */
function isCut(element: HTMLElement): boolean {
  // Texts for screen readers only are a pixel wide.
  if (element.clientWidth <= slackPixels) return false;
  if (element.scrollWidth <= element.clientWidth + slackPixels) return false;
  if (element.matches("input[type=date], input[type=datetime-local], select")) return true;
  const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
  const isMarked = textOverflow === "ellipsis" || webkitLineClamp !== "none";
  return /hidden|clip/.test(overflowX) && !isMarked && [...element.childNodes].some(hasText);
}

function findCut(): string[] {
  return [...document.querySelectorAll<HTMLElement>("body *:not(svg *)")]
    .filter((element) => isCut(element) && isVisible(element))
    .map((element) => `cut: ${nameOf(element)}`);
}

/** A line at one side, such as that of an annotation in a chart, is no frame. */
function isFramed(element: Element): boolean {
  const { borderLeftWidth, borderRightWidth } = getComputedStyle(element);
  return parseFloat(borderLeftWidth) > 0 === parseFloat(borderRightWidth) > 0;
}

/** Cards have a frame; what stands in them stays in them. */
function findEscaped(boxes: Box[]): string[] {
  return boxes.flatMap(({ element, rect, name }) => {
    const card = element.parentElement?.closest("li, section, article, [data-slot=card]");
    if (!card || !isFramed(card) || layerOf(card) !== layerOf(element)) return [];
    const frame = card.getBoundingClientRect();
    const isOutside =
      rect.left < frame.left - slackPixels || rect.right > frame.right + slackPixels;
    const sides = [rect.left - frame.left, frame.right - rect.right].map(Math.round).join(" and ");
    return isOutside ? [`outside of its card: ${name} (${sides} px from its sides)`] : [];
  });
}

function measure(): string[] {
  const texts = listTexts();
  const controls = listBoxes("input, select, textarea, button, [role=combobox]");
  const drawings = listBoxes("main svg :is(path, line, rect):not(defs *, clipPath *, mask *)");
  const isTooWide = document.documentElement.scrollWidth > window.innerWidth;
  const faults = [
    ...(isTooWide ? ["the page scrolls sideways"] : []),
    ...findCut(),
    ...findOverlaps([...texts, ...controls]),
    ...findEscaped([...texts, ...drawings]),
  ];
  return [...new Set(faults)];
}
