"use client";

import {
  BookOpen,
  CornerDownRight,
  Monitor,
  Moon,
  Plus,
  Settings,
  Sun,
  UsersRound,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { loadDocsIndex } from "#components/docs/load-index.ts";
import type { DocsEntry } from "#components/docs/search-index.ts";
import { useLinkCreator } from "#components/links/creator-context.ts";
import {
  CommandDialog,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
} from "#components/ui/command";
import { mayLeave } from "./leaving.ts";
import {
  accountPages,
  isShown,
  mainPages,
  type PagePermissions,
  settingsGroups,
} from "./page-list.ts";
import type { Preferences } from "./preferences.tsx";
import { applyTheme, type Theme } from "./theme.ts";
import type { WorkspaceName } from "./workspace-menu.tsx";

export interface LinkHit {
  id: string;
  name: string;
  url: string;
}

export interface PaletteProps extends PagePermissions {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  current: WorkspaceName;
  workspaces: readonly WorkspaceName[];
  preferences: Preferences;
  findLinks: (text: string) => Promise<LinkHit[]>;
  onShowShortcuts: () => void;
}

const debounceMs = 120;
const helpMax = 5;
/** A single letter would match every text. */
const helpCharsMin = 2;

export function Palette(props: PaletteProps) {
  const { open, onOpenChange, findLinks, current } = props;
  const t = useTranslations("palette");
  const router = useRouter();
  const [text, setText] = useState("");
  const hits = useHits(open ? text : "", findLinks);
  const help = useHelp(open ? text : "");
  const commands = useCommands(props);

  function run(action: () => void) {
    onOpenChange(false);
    setText("");
    action();
  }

  function openPath(path: string) {
    if (mayLeave(path)) router.push(path);
  }

  const wanted = text.trim().toLowerCase();
  const fitting = commands.filter(({ label }) => label.toLowerCase().includes(wanted));
  return (
    <CommandDialog open={open} onOpenChange={onOpenChange} title={t("title")} shouldFilter={false}>
      <CommandInput value={text} onValueChange={setText} placeholder={t("placeholder")} />
      <CommandList label={t("title")}>
        <CommandEmpty>{t("empty")}</CommandEmpty>
        {hits.length > 0 ? (
          <CommandGroup heading={t("links")}>
            {hits.map((hit) => (
              <CommandItem
                key={hit.id}
                value={hit.id}
                onSelect={() => run(() => openPath(`/app/${current.slug}/links/${hit.id}`))}
              >
                <CornerDownRight aria-hidden />
                <span className="shrink-0 font-medium">{hit.name}</span>
                <span className="truncate text-ink-muted">{hit.url}</span>
              </CommandItem>
            ))}
          </CommandGroup>
        ) : null}
        {help.length > 0 ? (
          <CommandGroup heading={t("docs")}>
            {help.map(({ href, title, page }) => (
              <CommandItem
                key={href}
                value={href}
                onSelect={() => run(() => window.open(href, "_blank", "noreferrer"))}
              >
                <BookOpen aria-hidden />
                <span className="shrink-0">{title}</span>
                <span className="truncate text-ink-muted">{page}</span>
              </CommandItem>
            ))}
          </CommandGroup>
        ) : null}
        {(["do", "go"] as const).map((group) => {
          const items = fitting.filter((command) => command.group === group);
          return items.length === 0 ? null : (
            <CommandGroup key={group} heading={t(group)}>
              {items.map(({ label, icon, action }) => (
                <CommandItem key={label} value={label} onSelect={() => run(action)}>
                  {icon}
                  {label}
                </CommandItem>
              ))}
            </CommandGroup>
          );
        })}
      </CommandList>
    </CommandDialog>
  );
}

/** Matching links, loaded when typing pauses. Answers to an older text are dropped. */
function useHits(text: string, findLinks: PaletteProps["findLinks"]): LinkHit[] {
  const [hits, setHits] = useState<LinkHit[]>([]);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(
      () => {
        if (text.trim() === "") return setHits([]);
        findLinks(text).then(
          (found) => current && setHits(found),
          // The commands work without links.
          () => current && setHits([]),
        );
      },
      text.trim() === "" ? 0 : debounceMs,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, findLinks]);
  return hits;
}

/** Matching sections of the documentation. The other results work without them. */
function useHelp(text: string): readonly DocsEntry[] {
  const locale = useLocale();
  const [found, setFound] = useState<readonly DocsEntry[]>([]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted.length < helpCharsMin) return setFound([]);
    let current = true;
    loadDocsIndex(locale).then(
      (find) => current && setFound(find(wanted, helpMax)),
      () => current && setFound([]),
    );
    return () => {
      current = false;
    };
  }, [text, locale]);
  return found;
}

interface PaletteCommand {
  group: "do" | "go";
  label: string;
  icon: ReactNode;
  action: () => void;
}

function turnTo(theme: Theme, preferences: PaletteProps["preferences"]): () => void {
  return () => {
    applyTheme(theme);
    void preferences.chooseTheme(theme);
  };
}

function useCommands(props: PaletteProps): PaletteCommand[] {
  const { current, workspaces, preferences, onShowShortcuts } = props;
  const t = useTranslations("palette");
  const shell = useTranslations("shell");
  const router = useRouter();
  const { openCreator } = useLinkCreator();
  const base = `/app/${current.slug}`;
  const go = (label: string, icon: ReactNode, path: string): PaletteCommand => {
    return { group: "go", label, icon, action: () => mayLeave(path) && router.push(path) };
  };
  const action = (label: string, icon: ReactNode, run: () => void): PaletteCommand => {
    return { group: "do", label, icon, action: run };
  };
  const pages = [
    ...mainPages.filter(({ path }) => path !== "settings"),
    ...mainPages.flatMap(({ also = [] }) => also),
    ...settingsGroups.flatMap((group) => group.pages),
  ].filter((page) => isShown(page, props));
  const others = workspaces.filter(({ slug }) => slug !== current.slug);
  return [
    ...(openCreator ? [action(t("createLink"), <Plus aria-hidden />, () => openCreator())] : []),
    action(t("lightTheme"), <Sun aria-hidden />, turnTo("light", preferences)),
    action(t("darkTheme"), <Moon aria-hidden />, turnTo("dark", preferences)),
    action(t("systemTheme"), <Monitor aria-hidden />, turnTo("system", preferences)),
    action(shell("shortcuts"), <Settings aria-hidden />, onShowShortcuts),
    ...pages.map(({ text, path, icon }) =>
      go(shell(text), <span aria-hidden className={`${icon} size-4`} />, `${base}/${path}`),
    ),
    ...accountPages.map(({ text, path, icon }) =>
      go(shell(text), <span aria-hidden className={`${icon} size-4`} />, `/app/${path}`),
    ),
    {
      group: "go",
      label: shell("docs"),
      icon: <BookOpen aria-hidden />,
      action: () => window.open("/docs", "_blank", "noreferrer"),
    },
    ...others.map(({ name, slug }) =>
      go(t("switchTo", { name }), <UsersRound aria-hidden />, `/app/${slug}/links`),
    ),
    go(shell("newWorkspace"), <Plus aria-hidden />, "/app/new"),
  ];
}
