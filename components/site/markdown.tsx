/**
 * Renders the Markdown of guides and of the instance’s own texts. Tokens become elements and text, never HTML: HTML, images other
 * than the given pictures, and links to anything but the web, mail and pages of this site are shown as text.
 */
import { Marked, type MarkedToken, type Token, type Tokens } from "marked";
import Link from "next/link";
import type { ReactNode } from "react";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { ImageFile } from "./picture.tsx";

/** Supports tables, but no other GitHub extensions: plain URLs do not become links, and text is not crossed out. */
const parser = new Marked({ gfm: true, tokenizer: { url: () => undefined, del: () => undefined } });

export function parseMarkdown(text: string): MarkedToken[] {
  return knownTokens(parser.lexer(text));
}

/** Sound because no extension adds tokens to those of marked. */
function knownTokens(tokens: Token[] | undefined): MarkedToken[] {
  return (tokens ?? []) as MarkedToken[];
}

interface MarkdownProps {
  text: string;
  /** The first heading is the title of the page. Otherwise, headings start one level below. */
  title?: boolean;
  pictures?: Pictures;
}

type Pictures = Readonly<Record<string, ImageFile>>;

export function Markdown({ text, title = false, pictures = {} }: MarkdownProps) {
  return keyed(parseMarkdown(text)).map(([key, token]) => (
    <Block key={key} token={token} title={title} pictures={pictures} />
  ));
}

const headings = {
  1: "font-semibold text-2xl tracking-tight",
  2: "mt-10 mb-2 font-medium text-lg",
  3: "mt-6 mb-1 font-medium text-base",
};

interface BlockProps {
  token: MarkedToken;
  title: boolean;
  pictures: Pictures;
}

function Block({ token, title, pictures }: BlockProps): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "code":
      return (
        <pre className="mt-3 whitespace-pre-wrap break-words rounded-lg border border-line bg-sunken p-4 text-xs">
          <code>{token.text}</code>
        </pre>
      );
    case "heading": {
      const level = token.depth === 1 && title ? 1 : token.depth < 3 ? 2 : 3;
      const Heading = `h${level}` as const;
      return (
        <Heading
          id={title && level > 1 ? headingId(token.text) : undefined}
          className={headings[level]}
        >
          <Inline tokens={knownTokens(token.tokens)} />
        </Heading>
      );
    }
    case "list":
      return <List list={token} title={title} pictures={pictures} />;
    case "table":
      return <MarkdownTable table={token} />;
    case "paragraph":
      return <Paragraph tokens={knownTokens(token.tokens)} pictures={pictures} />;
    default:
      return <p className="mt-3">{token.raw}</p>;
  }
}

function MarkdownTable({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    <div className="mt-4">
      <Table caption={header.map(({ text }) => text).join(", ")}>
        <thead>
          <tr>
            {keyed(header).map(([key, cell]) => (
              <TableHead key={key}>
                <Inline tokens={knownTokens(cell.tokens)} />
              </TableHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(rows).map(([key, row]) => (
            <TableRow key={key}>
              {keyed(row).map(([at, cell]) => (
                <TableCell key={at} className="h-9 min-w-20 whitespace-normal py-1.5 align-top">
                  <Inline tokens={knownTokens(cell.tokens)} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function Paragraph({ tokens, pictures }: { tokens: MarkedToken[]; pictures: Pictures }) {
  const [only, another] = tokens;
  const picture = only?.type === "image" && !another ? pictures[only.href] : undefined;
  if (only?.type === "image" && picture) return <GuidePicture file={picture} label={only.text} />;
  return (
    <p className="mt-3">
      <Inline tokens={tokens} />
    </p>
  );
}

/** Like the pictures of the landing page, shown without scrolling. Pictures show the product in the light theme. */
function GuidePicture({ file, label }: { file: ImageFile; label: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: a small file of the build, shown in its own size
    <img
      src={file.src}
      // Pictures have two pixels for each pixel of the page.
      width={Math.round(file.width / 2)}
      height={Math.round(file.height / 2)}
      alt={label}
      fetchPriority="low"
      decoding="sync"
      className="mt-5 h-auto max-w-full rounded-xl border border-line"
    />
  );
}

/** The fragment of a URL that leads to a heading, in any language. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

interface ListProps extends Omit<BlockProps, "token"> {
  list: Tokens.List;
}

function List({ list, ...block }: ListProps): ReactNode {
  const Tag = list.ordered ? "ol" : "ul";
  return (
    <Tag className={`mt-3 grid gap-1 pl-5 ${list.ordered ? "list-decimal" : "list-disc"}`}>
      {keyed(list.items).map(([key, item]) => (
        <li key={key}>
          {keyed(knownTokens(item.tokens)).map(([at, token]) =>
            token.type === "text" ? (
              <Inline key={at} tokens={knownTokens(token.tokens)} />
            ) : (
              <Block key={at} token={token} {...block} />
            ),
          )}
        </li>
      ))}
    </Tag>
  );
}

const safeHref = /^(?:https?:\/\/|mailto:|\/(?![/\\]))/;

function Inline({ tokens }: { tokens: readonly MarkedToken[] }): ReactNode {
  return keyed(tokens).map(([key, token]) => {
    switch (token.type) {
      case "link": {
        if (!safeHref.test(token.href)) return token.raw;
        const Way = token.href.startsWith("/") ? Link : "a";
        return (
          <Way
            key={key}
            href={token.href}
            className="underline underline-offset-4 hover:text-accent"
          >
            <Inline tokens={knownTokens(token.tokens)} />
          </Way>
        );
      }
      case "codespan":
        return <code key={key}>{token.text}</code>;
      case "strong":
        return (
          <strong key={key}>
            <Inline tokens={knownTokens(token.tokens)} />
          </strong>
        );
      case "em":
        return (
          <em key={key}>
            <Inline tokens={knownTokens(token.tokens)} />
          </em>
        );
      case "br":
        return <br key={key} />;
      case "text":
      case "escape":
        return token.text;
      default:
        return token.raw;
    }
  });
}

/** Uses positions as keys, because the parts of a text are never reordered. */
function keyed<T>(parts: readonly T[]): [string, T][] {
  return parts.map((part, at) => [String(at), part]);
}
