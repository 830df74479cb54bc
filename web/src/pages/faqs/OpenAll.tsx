import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';

/** For reading through, and for browsers whose search does not look into closed answers. */
export function OpenAll() {
  const [open, setOpen] = useState(false);
  const turn = () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('main details')) details.open = !open;
    setOpen(!open);
  };
  return (
    <div className="mb-8 print:hidden">
      <Button onClick={turn}>{open ? 'Close all answers' : 'Open all answers'}</Button>
    </div>
  );
}
