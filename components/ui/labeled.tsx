import type { ComponentProps } from "react";
import { type ControlProps, Field, type FieldProps } from "./field.tsx";
import { Input, Textarea } from "./input.tsx";
import { Select } from "./select.tsx";

/** A control with its label, hint and error. `outerClass` applies to all of them together. */
type Labeled<Props> = Omit<FieldProps, "children" | "className"> &
  Omit<Props, keyof ControlProps> & { outerClass?: string };

export function InputField({
  label,
  hint,
  error,
  optional,
  outerClass,
  ...input
}: Labeled<ComponentProps<typeof Input>>) {
  return (
    <Field {...{ label, hint, error, optional }} className={outerClass}>
      {(control) => <Input {...control} {...input} />}
    </Field>
  );
}

export function TextareaField({
  label,
  hint,
  error,
  optional,
  outerClass,
  ...textarea
}: Labeled<ComponentProps<typeof Textarea>>) {
  return (
    <Field {...{ label, hint, error, optional }} className={outerClass}>
      {(control) => <Textarea {...control} {...textarea} />}
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  error,
  optional,
  outerClass,
  ...select
}: Labeled<ComponentProps<typeof Select>>) {
  return (
    <Field {...{ label, hint, error, optional }} className={outerClass}>
      {(control) => <Select {...control} {...select} />}
    </Field>
  );
}
