"use client";

import { type FormAnswer, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import { loadPage } from "./load-page.ts";

interface ActionFormProps {
  action: () => Promise<FormAnswer<string>>;
  children: string;
}

export function ActionForm({ action, children }: ActionFormProps) {
  const { form, pending, error } = useForm(() => action(), loadPage);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Button type="submit" variant="solid" size="lg" pending={pending} className="w-full">
        {children}
      </Button>
    </form>
  );
}
