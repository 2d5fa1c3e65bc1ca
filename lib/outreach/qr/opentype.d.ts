/** The parts of opentype.js that captions use; the package has no types. */

declare module "opentype.js" {
  interface Options {
    variation?: Readonly<Record<string, number>>;
  }
  export interface Font {
    charToGlyphIndex(sign: string): number;
    /** The size is that of one em; y grows downward. */
    getPath(
      text: string,
      x: number,
      y: number,
      size: number,
      options: Options,
    ): { readonly commands: readonly object[]; toPathData(decimalPlaces: number): string };
    getAdvanceWidth(text: string, size: number, options: Options): number;
  }
  const opentype: { parse(bytes: ArrayBuffer): Font };
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default opentype;
}
