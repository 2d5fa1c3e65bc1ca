"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import { InputField } from "../ui/labeled.tsx";
import { type SlugLimits, slugOf } from "./slug.ts";

interface WorkspaceFormProps {
  createWorkspace: FormAction<string>;
  limits: SlugLimits;
}

/** Asks for a name. The slug follows the name until someone edits it. */
export function WorkspaceForm({ createWorkspace, limits }: WorkspaceFormProps) {
  const t = useTranslations("workspaces");
  const [name, setName] = useState("");
  const [written, setWritten] = useState<string>();
  const slug = written ?? slugOf(name, limits);
  const { form, pending, error, errorOf } = useForm(createWorkspace, (created) =>
    loadPage(`/app/${created}/links`),
  );
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField
        label={t("name")}
        error={errorOf("name")}
        name="name"
        autoFocus
        autoComplete="organization"
        required
        placeholder={t("namePlaceholder")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <InputField
        label={t("slug")}
        error={errorOf("slug")}
        hint={t("slugHint", { address: `/app/${slug || "…"}` })}
        name="slug"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={slug}
        onChange={(event) => setWritten(event.target.value)}
      />
      <Button type="submit" variant="solid" size="lg" pending={pending} className="mt-1 w-full">
        {t("create")}
      </Button>
    </form>
  );
}
