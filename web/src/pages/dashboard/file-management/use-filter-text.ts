import { useEffect, useEffectEvent, useState } from 'react';

/** A pause this long means that the word is written. */
const pauseMs = 200;

/** What stands in the filter box. The address follows it after a pause, and it follows the address. */
export function useFilterText(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  const [known, setKnown] = useState(search);
  const [sent, setSent] = useState<string>();
  if (search !== known) {
    setKnown(search);
    // The answer to what was typed here must not undo what has been typed since.
    if (search === sent) setSent(undefined);
    else if (text.trim() === known) setText(search);
  }
  const send = (written: string) => {
    if (written === search) return;
    setSent(written);
    onSearch(written);
  };
  const sendAfterPause = useEffectEvent(send);
  useEffect(() => {
    if (text.trim() === search) return;
    const timer = setTimeout(() => sendAfterPause(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text, search]);
  const clear = () => {
    setText('');
    send('');
  };
  return { text, setText, sendNow: () => send(text.trim()), clear } as const;
}
