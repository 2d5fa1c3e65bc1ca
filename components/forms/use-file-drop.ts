import { type ChangeEvent, type DragEvent, useRef, useState } from "react";

interface FileDropOptions {
  disabled: boolean;
  more?: string;
  onFile: (file: File) => void;
}

/** A table, dropped onto an area or chosen: the props of the area and of its hidden field. */
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
      // The same file can be chosen again.
      target.value = "";
    },
  };
  return { area, field, isOver, choose: () => input.current?.click() };
}
