/** Parses XML that arrives in parts, without holding a part that never ends. */
import { Parser } from "htmlparser2";
import { tableError } from "./problems.ts";

/** Text without the end of a tag, which the parser holds. */
const heldCharsMax = 1_048_576;
/** Elements within each other; workbooks have less than ten. */
export const depthMax = 32;

interface XmlHandler {
  onTag: (name: string, attributes: Readonly<Record<string, string>>) => void;
  onText?: (text: string) => void;
  onEnd?: (name: string) => void;
}

export class XmlParser {
  readonly #parser: Parser;
  #held = 0;
  #depth = 0;

  constructor({ onTag, onText, onEnd }: XmlHandler) {
    const seen = () => {
      this.#held = 0;
    };
    this.#parser = new Parser(
      {
        // The parser moves all open elements at each tag, so that many of them would take minutes.
        onopentagname: () => {
          this.#depth += 1;
          // defence: workbook-depth
          if (this.#depth > depthMax) throw tableError("workbook_broken");
        },
        onopentag(name, attributes) {
          seen();
          onTag(name, attributes);
        },
        ontext(text) {
          seen();
          onText?.(text);
        },
        onclosetag: (name) => {
          this.#depth -= 1;
          seen();
          onEnd?.(name);
        },
      },
      { xmlMode: true },
    );
  }

  write(xml: string): void {
    this.#held += xml.length;
    this.#parser.write(xml);
    // defence: endless-xml
    if (this.#held > heldCharsMax) throw tableError("workbook_broken");
  }

  end(): void {
    this.#parser.end();
  }
}
