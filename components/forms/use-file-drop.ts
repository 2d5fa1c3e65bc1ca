import { type ChangeEvent, type DragEvent, useRef, useState } from "react";

interface FileDropOptions {
  disabled: boolean;
  more?: string;
  onFile: (file: File) => void;
}

/** Lets people drop or choose a table. Returns the props of the drop area and of its hidden file input. */
export function useFileDrop({ disabled, more, onFile }: FileDropOptions) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const area = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      const [file] = event.dataTransfer.files;
      if (file && !disabled) onFile(file);
    },
  };
  const field = {
    ref: input,
    type: "file",
    accept: [".csv,.tsv,.txt,.xlsx,text/csv", more].filter(Boolean).join(),
    className: "sr-only",
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      const [file] = target.files ?? [];
      if (file) onFile(file);
      // Lets people choose the same file again.
      target.value = "";
    },
  };
  return { area, field, isOver, choose: () => input.current?.click() };
}
