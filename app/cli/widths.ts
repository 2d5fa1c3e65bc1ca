/** Text in the cells of a terminal: Chinese characters and emoji take two. */
const segmenter = new Intl.Segmenter();
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

function widthOfCluster(cluster: string): number {
  if (/^\p{Mark}+$/u.test(cluster)) return 0;
  return wide.test(cluster) ? 2 : 1;
}

export function widthOf(text: string): number {
  // Almost all texts are ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return [...segmenter.segment(text)].reduce(
    (sum, { segment }) => sum + widthOfCluster(segment),
    0,
  );
}

/** Cuts text to a width, with an ellipsis where it was cut. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = widthOfCluster(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return width > 0 ? `${kept}…` : "";
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthOf(text))) + text;
}
