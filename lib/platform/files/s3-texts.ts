/** Reads the responses of a store: flat lists of texts, whose names are those that Fuxi gives its files. */

/** The contents of the elements with a name. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(
    ([, inner = ""]) => inner,
  );
}

/** The text of the first element with a name; "": there is none. */
export function textIn(xml: string, name: string): string {
  const [text = ""] = elementsOf(xml, name);
  return text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
