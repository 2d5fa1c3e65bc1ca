"use client";

import { useEffect, useRef } from "react";

interface SelectBoxProps {
  label: string;
  checked: boolean;
  /** Some but not all of the rows it stands for are selected. */
  mixed?: boolean;
  onChange: (range: boolean) => void;
}

/** Selects a row. The area around the box is large enough for a finger. */
export function SelectBox({ label, checked, mixed = false, onChange }: SelectBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label className="relative z-10 -m-2 grid shrink-0 cursor-pointer place-items-center p-2 pointer-coarse:-m-3 pointer-coarse:p-3">
      <span className="sr-only">{label}</span>
      <input
        ref={box}
        type="checkbox"
        checked={checked}
        onChange={(event) => {
          const { nativeEvent } = event;
          onChange("shiftKey" in nativeEvent && nativeEvent.shiftKey === true);
        }}
        className="size-4 accent-accent pointer-coarse:size-5"
      />
    </label>
  );
}
