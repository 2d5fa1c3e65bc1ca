"use client";

import { type FormAction, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { enter } from "./sign-in-form.tsx";

interface DoFormProps {
  /** Returns the next page. */
  act: FormAction<string>;
  children: string;
}

/** One button that runs an action, and continues to the next page. */
export function DoForm({ act, children }: DoFormProps) {
  const { form, pending, error } = useForm(act, enter);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Button type="submit" look="solid" size="lg" pending={pending} className="w-full">
        {children}
      </Button>
    </form>
  );
}
