import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import type { UrlFilters } from "./url-filters.tsx";

interface PeriodFieldsProps {
  labels: Readonly<Record<"from" | "to", string>>;
  filters: Pick<UrlFilters, "params" | "set">;
}

export function PeriodFields({ labels, filters: { params, set } }: PeriodFieldsProps) {
  return (["from", "to"] as const).map((name) => (
    <Field key={name} label={labels[name]}>
      {(control) => (
        <Input
          {...control}
          type="date"
          // Keyed by the URL, so that a step back in the history shows the day of that step.
          key={params.get(name) ?? ""}
          defaultValue={params.get(name) ?? ""}
          onChange={(event) => {
            if (event.target.validity.valid) set({ [name]: event.target.value });
          }}
          className="min-w-0"
        />
      )}
    </Field>
  ));
}
