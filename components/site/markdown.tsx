/**
 * Guides and what an operator wrote, as much of Markdown as such texts need: headings, paragraphs, lists, blocks of code,
 * bold words, code, links. Everything else stays as it is written; nothing of it is taken for HTML.
 */
import Link from "next/link";
import type { ReactNode } from "react";

type Block =
  | { kind: "code"; text: string }
  | { kind: "heading"; level: 1 | 2 | 3; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "paragraph"; text: string };

export function parseMarkdown(text: string): Block[] {
  // Every second part is between two fences.
  const parts = text.replaceAll("\r\n", "\n").split(/^```.*\n?/m);
  return parts.flatMap((part, at) =>
    at % 2 === 1 ? [{ kind: "code", text: part.trimEnd() }] : parseProse(part),
  );
}

function parseProse(text: string): Block[] {
  return text
    .split(/\n\s*\n|\n(?=#)|(?<=^#.*)\n/m)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(blockOf);
}

const levels = [1, 2] as const;

function blockOf(part: string): Block {
  const heading = /^(#{1,6})\s+(.*)$/.exec(part);
  if (heading) {
    const [, signs = "", text = ""] = heading;
    return { kind: "heading", level: levels[signs.length - 1] ?? 3, text };
  }
  const lines = part.split("\n").map((line) => line.trim());
  if (lines.every((line) => /^[-*]\s/.test(line))) {
    return { kind: "list", items: lines.map((line) => line.slice(1).trim()) };
  }
  return { kind: "paragraph", text: lines.join(" ") };
}

type Piece =
  | { kind: "text" | "bold" | "code"; text: string }
  | { kind: "link"; text: string; href: string };

const marks =
  /\*\*([^*]+)\*\*|`([^`]+)`|\[([^\]]+)\]\(((?:https?:\/\/|mailto:|\/(?!\/))[^\s)]+)\)/g;

/** Only addresses of the web, of mail and of pages beside become links. */
export function parseInline(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(marks)) {
    const [whole, bold, code, label, href] = found;
    if (found.index > end) pieces.push({ kind: "text", text: text.slice(end, found.index) });
    if (bold !== undefined) pieces.push({ kind: "bold", text: bold });
    else if (code !== undefined) pieces.push({ kind: "code", text: code });
    else pieces.push({ kind: "link", text: label ?? "", href: href ?? "" });
    end = found.index + whole.length;
  }
  if (end < text.length) pieces.push({ kind: "text", text: text.slice(end) });
  return pieces;
}

interface MarkdownProps {
  text: string;
  /** Its first heading is the title of the page; without, headings begin below that. */
  title?: boolean;
}

export function Markdown({ text, title = false }: MarkdownProps) {
  return keyed(parseMarkdown(text)).map(([key, block]) => (
    <BlockView key={key} block={block} title={title} />
  ));
}

const headings = {
  1: "font-semibold text-2xl tracking-tight",
  2: "mt-10 mb-2 font-medium text-lg",
  3: "mt-6 mb-1 font-medium text-base",
};

function BlockView({ block, title }: { block: Block; title: boolean }): ReactNode {
  if (block.kind === "code") {
    return (
      <pre className="mt-3 whitespace-pre-wrap break-words rounded-lg border border-line bg-sunken p-4 text-xs">
        <code>{block.text}</code>
      </pre>
    );
  }
  if (block.kind === "heading") {
    const level = title ? block.level : block.level === 3 ? 3 : 2;
    const Heading = `h${level}` as const;
    return (
      <Heading className={headings[level]}>
        <Inline text={block.text} />
      </Heading>
    );
  }
  if (block.kind === "paragraph") {
    return (
      <p className="mt-3">
        <Inline text={block.text} />
      </p>
    );
  }
  return (
    <ul className="mt-3 grid list-disc gap-1 pl-5">
      {keyed(block.items).map(([key, item]) => (
        <li key={key}>
          <Inline text={item} />
        </li>
      ))}
    </ul>
  );
}

function Inline({ text }: { text: string }): ReactNode {
  return keyed(parseInline(text)).map(([key, piece]) => {
    if (piece.kind === "link") {
      const look = "underline underline-offset-4 hover:text-accent";
      const Way = piece.href.startsWith("/") ? Link : "a";
      return (
        <Way key={key} href={piece.href} className={look}>
          {piece.text}
        </Way>
      );
    }
    if (piece.kind === "code") return <code key={key}>{piece.text}</code>;
    return piece.kind === "bold" ? <strong key={key}>{piece.text}</strong> : piece.text;
  });
}

/** A text is never reordered: its parts are known by their place. */
function keyed<T>(parts: readonly T[]): [string, T][] {
  return parts.map((part, at) => [String(at), part]);
}
