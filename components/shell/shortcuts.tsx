"use client";

/**
 * Keyboard shortcuts. Each has one listener, which is inactive while someone types or a dialog is open.
 *
 * Single keys can be turned off (WCAG 2.1.4), because speech input and tremors press them by accident.
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { type CommandShortcut, type SingleShortcut, shortcuts } from "./shortcut-keys.ts";

const storageKey = "fuxi.single-keys";
const changed = "fuxi:single-keys";

function subscribe(onChange: () => void): () => void {
  window.addEventListener(changed, onChange);
  window.addEventListener("storage", onChange);
  return () => {
    window.removeEventListener(changed, onChange);
    window.removeEventListener("storage", onChange);
  };
}

function singleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== "off";
}

/** Whether single-key shortcuts are on, and a setter. Stored in this browser. */
export function useSingleKeys(): [on: boolean, set: (on: boolean) => void] {
  const on = useSyncExternalStore(subscribe, singleKeysOn, () => true);
  return [
    on,
    (next) => {
      localStorage.setItem(storageKey, next ? "on" : "off");
      window.dispatchEvent(new Event(changed));
    },
  ];
}

const noChange = () => () => {};

function commandKeyLabel(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
}

/** The label of the command key on this machine. Only the browser knows it, so the server renders the most common one. */
export function useCommandKeyName(): string {
  return useSyncExternalStore(noChange, commandKeyLabel, () => "⌘");
}

function isBusy(event: KeyboardEvent): boolean {
  const { target } = event;
  if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]")) {
    return true;
  }
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Calls back when the key of a shortcut is pressed. */
export function useShortcut(name: SingleShortcut, onPress: (event: KeyboardEvent) => void): void {
  const { key } = shortcuts[name];
  const press = useEffectEvent(onPress);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== key || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.defaultPrevented || !singleKeysOn() || isBusy(event)) return;
      event.preventDefault();
      press(event);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [key]);
}

/** Calls back for ⌘ or Ctrl with the key of a shortcut, also while typing. */
export function useCommandKey(name: CommandShortcut, onPress: () => void): void {
  const { key } = shortcuts[name];
  const press = useEffectEvent(onPress);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== key || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      press();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [key]);
}
