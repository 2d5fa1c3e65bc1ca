import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { type Preset, presetDays } from "#lib/basics/time/schema";
import { InputField } from "../ui/labeled.tsx";

interface SendTimeProps {
  /** In the zone of the workspace. */
  value: string;
  onValue: (value: string) => void;
  zone: string;
  error: string | undefined;
}

const presets: readonly Preset[] = ["tomorrow", "week"];
/** When messages are read, and nobody sleeps. */
const presetTime = "10:00";

/** When a campaign starts: common days by one click, any time by the field. */
export function SendTime({ value, onValue, zone, error }: SendTimeProps) {
  const t = useTranslations("sending");
  const words = useTranslations("linkForm.presets");
  const days = presetDays(zone, Date.now());
  return (
    <div className="grid gap-2">
      <InputField
        label={t("startAt")}
        hint={words("zone", { zone })}
        error={error}
        type="datetime-local"
        autoComplete="off"
        className="max-w-xs"
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced with the field above */}
      <div
        role="group"
        aria-label={words("label", { field: t("startAt") })}
        className="flex flex-wrap gap-1"
      >
        {presets.map((preset) => {
          const own = `${days[preset]}T${presetTime}`;
          return (
            <Button
              key={preset}
              size="sm"
              aria-pressed={own === value}
              onClick={() => onValue(own)}
            >
              {words(preset)} {presetTime}
            </Button>
          );
        })}
      </div>
    </div>
  );
}
