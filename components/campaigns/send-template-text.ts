/** The template text that a gateway has to approve before anything is sent. The link in it is fixed text with a variable. */

/** Doubled braces, a placeholder, a single brace, or other text. */
const token = /\{\{|\}\}|\{[^}]*\}|[{}]|[^{}]+/g;
const codePlaceholder = "{code}";

interface TemplateOptions {
  host: string;
  linkScheme: boolean;
  /** The variables of the gateway, by name. Their texts have columns in braces. */
  variables: Readonly<Record<string, string>>;
}

interface TemplateText {
  text: string;
  /** Placeholders that no variable of the gateway fills. */
  missing: string[];
}

export function templateTextOf(template: string, options: TemplateOptions): TemplateText {
  const missing = new Set<string>();
  const text = [...template.matchAll(token)].map(([piece]) => {
    if (piece === "{{" || piece === "}}") return piece.charAt(0);
    const name = /^\{([^|}]*)/.exec(piece)?.[1]?.trim();
    if (name === undefined || name === "") return piece;
    const variable = variableOf(name, options.variables);
    if (variable === undefined) missing.add(name);
    return writtenAs(name, variable ?? name, options);
  });
  return { text: text.join(""), missing: [...missing] };
}

function writtenAs(name: string, variable: string, { host, linkScheme }: TemplateOptions): string {
  const reference = `\${${variable}}`;
  return name === "link" ? `${linkScheme ? "https://" : ""}${host}/${reference}` : reference;
}

/** The variable that contains only this column. The variable of a link contains its slug. */
function variableOf(name: string, variables: TemplateOptions["variables"]): string | undefined {
  const isOf = (text: string) =>
    name === "link"
      ? text.trim() === codePlaceholder
      : /^\{([^|}]*)[|}]/.exec(text.trim())?.[1]?.trim() === name;
  return Object.entries(variables).find(([, text]) => isOf(text))?.[0];
}
