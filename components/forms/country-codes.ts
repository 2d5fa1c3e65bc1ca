/** Country codes in a text field, such as "CN, US". */
export function countriesOf(text: string): string[] {
  const codes = text.split(/[\s,;，；、]+/).map((code) => code.toUpperCase());
  return [...new Set(codes)].filter((code) => code !== "");
}

export const countriesText = (countries: readonly string[]): string => countries.join(", ");
