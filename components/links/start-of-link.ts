/** The page that a new link starts with, in the URL of the list of links: `?newUrl=…&newTitle=…`. */

/** The limit of the link form, which would refuse a longer title. */
const titleCharsMax = 500;

interface StartOfLink {
  url: string;
  title: string;
}

export function newLinkParameters({ url, title }: StartOfLink): URLSearchParams {
  return new URLSearchParams({ newUrl: url, newTitle: title.slice(0, titleCharsMax) });
}

/** Undefined if the URL names no page. */
export function startOfLink(parameters: URLSearchParams): StartOfLink | undefined {
  const url = parameters.get("newUrl");
  return url ? { url, title: parameters.get("newTitle") ?? "" } : undefined;
}

/** Opens the form in a small window. It only reads the URL and title of the page where it is clicked. */
export function bookmarkletOf(origin: string, workspace: string): string {
  const target = `${origin}/app/new/link?workspace=${encodeURIComponent(workspace)}&url=`;
  const page = "encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title)";
  return `javascript:void(open('${target}'+${page},'_blank','noopener,width=720,height=820'))`;
}
