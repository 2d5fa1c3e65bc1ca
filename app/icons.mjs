/**
 * Icons as classes for Tailwind: `icon-settings` gives an element the shape of that icon and the color of its text. The
 * stylesheet is loaded once, while drawings in the HTML come with every page: those of the navigation were 1.3 KB of the 17 KB of
 * the list of links.
 */
import { icons } from "@iconify-json/lucide";
import plugin from "tailwindcss/plugin";

const drawings = Object.fromEntries(
  Object.entries(icons.icons).map(([name, { body }]) => [name, body]),
);

function maskOf(body) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${body}</svg>`;
  return {
    display: "inline-block",
    flexShrink: "0",
    backgroundColor: "currentColor",
    mask: `url("data:image/svg+xml,${encodeURIComponent(svg)}") center / 100% no-repeat`,
    // Otherwise a system in high contrast mode paints the icon in the color of the page.
    "@media (forced-colors: active)": { backgroundColor: "CanvasText" },
  };
}

export default plugin(({ matchComponents }) => {
  matchComponents({ icon: maskOf }, { values: drawings });
});
