import { useCallback, useEffect, useState } from 'react';

export type CopyState = 'idle' | 'copied' | 'denied';

const copiedMs = 2000;
const idle = { state: 'idle' } as const;

/** The state, a function that copies, and a function that resets a denial. */
export function useCopied(): readonly [CopyState, (text: string) => Promise<boolean>, () => void] {
  // An object for each copy: the time of the mark begins anew.
  const [last, setLast] = useState<{ readonly state: CopyState }>(idle);
  useEffect(() => {
    if (last.state !== 'copied') return;
    const timer = setTimeout(() => setLast(idle), copiedMs);
    return () => clearTimeout(timer);
  }, [last]);
  const copy = async (text: string) => {
    const copied = await copyText(text);
    setLast({ state: copied ? 'copied' : 'denied' });
    return copied;
  };
  const forget = useCallback(() => setLast(idle), []);
  return [last.state, copy, forget];
}

/**
 * Copies a text to the clipboard.
 * @returns false if the browser allows neither the clipboard API nor the old command; show the text for manual copying
 * then.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard API is missing on plain http, and rejects without permission.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  const focused = document.activeElement;
  // An open modal dialog makes everything outside it inert, so that it cannot be selected.
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
