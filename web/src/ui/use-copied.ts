import { useCallback, useEffect, useState } from 'react';
import { copyText } from './copy.ts';

export type CopyState = 'idle' | 'copied' | 'denied';

/** Spec section 9: the copied-link highlight lasts 2 seconds. */
const copiedMs = 2000;

/** The state, what copies, and what forgets a denial. */
export function useCopied(): readonly [CopyState, (text: string) => Promise<boolean>, () => void] {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('idle'), copiedMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (text: string) => {
    const copied = await copyText(text);
    setState(copied ? 'copied' : 'denied');
    return copied;
  };
  const forget = useCallback(() => setState('idle'), []);
  return [state, copy, forget];
}
