"use client";

import { Bookmark, Trash2 } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { nameCharsMax, type SavedView } from "#lib/links/saved-views/schema";
import type { FormAnswer } from "../forms/form.tsx";
import { useAction } from "../forms/use-action.ts";
import { PrefetchLink } from "../shell/prefetch-link.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { Switch } from "../ui/switch.tsx";

export interface ViewActions {
  create: (view: {
    name: string;
    search: string;
    shared: boolean;
  }) => Promise<FormAnswer<SavedView>>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

export interface ViewsMenuProps {
  views: readonly SavedView[];
  actions: ViewActions;
  /** May share views with the workspace. */
  mayShare: boolean;
  params: URLSearchParams;
}

/** Saved views of the list: opens one, and saves the present filters. */
export function ViewsMenu({ views, actions, mayShare, params }: ViewsMenuProps) {
  const t = useTranslations("savedViews");
  const path = usePathname();
  const [open, setOpen] = useState(false);
  const runAction = useAction();
  const [pending, start] = useTransition();
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button className="h-9 pointer-coarse:h-11">
          <Bookmark aria-hidden />
          <span className="max-sm:sr-only">{t("views")}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("label")} className="grid gap-4">
        {views.length > 0 ? (
          <ul className="grid max-h-60 gap-1 overflow-y-auto">
            {views.map(({ id, name, search, shared, mayDelete }) => (
              <li key={id} className="flex items-center gap-2">
                <PrefetchLink
                  href={search === "" ? path : `${path}?${search}`}
                  onClick={() => setOpen(false)}
                  className="min-w-0 flex-1 truncate rounded-md px-2 py-1.5 text-sm hover:bg-hover"
                >
                  {name}
                </PrefetchLink>
                {shared ? <Badge>{t("shared")}</Badge> : null}
                {mayDelete ? (
                  <Button
                    variant="ghost"
                    size="icon"
                    aria-label={t("delete", { name })}
                    onClick={() =>
                      start(async () => void (await runAction(() => actions.remove(id))))
                    }
                  >
                    <Trash2 aria-hidden />
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-ink-muted text-sm">{t("none")}</p>
        )}
        <SaveForm actions={actions} mayShare={mayShare} params={params} pending={pending} />
      </PopoverContent>
    </Popover>
  );
}

interface SaveFormProps extends Pick<ViewsMenuProps, "actions" | "mayShare" | "params"> {
  pending: boolean;
}

function SaveForm({ actions, mayShare, params, pending }: SaveFormProps) {
  const t = useTranslations("savedViews");
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const [saving, start] = useTransition();
  const runAction = useAction();
  const save = () =>
    start(async () => {
      const view = { name, search: params.toString(), shared };
      const saved = await runAction(() => actions.create(view));
      if (saved) setName("");
    });
  return (
    <form
      className="grid gap-3 border-line border-t pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") save();
      }}
    >
      <Field label={t("name")}>
        {(control) => (
          <Input
            {...control}
            maxLength={nameCharsMax}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      {mayShare ? <Switch label={t("share")} checked={shared} onCheckedChange={setShared} /> : null}
      <Button type="submit" pending={saving || pending} disabled={name.trim() === ""}>
        {t("save")}
      </Button>
    </form>
  );
}
