import { Check, ChevronDown, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useCopied } from '../../../ui/use-copied.ts';
import { allLinks, type LinkFormat, linkFormats } from './all-links.ts';
import { finished, summaryOf } from './selectors.ts';
import { uploads } from './upload-queue-instance.ts';
import { useQueue } from './use-queue.ts';

export function CopyAllLinks() {
  // It has its place from the beginning, so that nothing moves when the first file is done.
  const hasLinks = useQueue((queue) => summaryOf(queue).all.success > 0);
  const [state, copy] = useCopied();
  const [chosen, setChosen] = useState('');
  const copyAs = async (format: LinkFormat) => {
    const text = allLinks(finished(uploads.read()), format);
    setChosen(text);
    if (await copy(text)) toast.success('Links copied to clipboard!');
    else toast.error('Failed to copy links');
  };
  return (
    <>
      <div className="max-sm:grow">
        <Menu
          trigger={
            <Button className="max-sm:w-full" disabled={!hasLinks}>
              {state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
              Copy all links
              <ChevronDown aria-hidden />
            </Button>
          }
        >
          {linkFormats.map((format) => (
            <MenuItem key={format} onSelect={() => void copyAs(format)}>
              {format}
            </MenuItem>
          ))}
        </Menu>
      </div>
      {state === 'denied' && <LinksToCopy key={chosen} text={chosen} />}
    </>
  );
}

/** Shown if the browser does not let the page write to the clipboard: the links, selected for manual copying. */
function LinksToCopy({ text }: { readonly text: string }) {
  return (
    <textarea
      readOnly
      value={text}
      aria-label="All links, to copy by hand"
      rows={Math.min(8, text.split('\n').length)}
      ref={takeFocus}
      className="basis-full resize-y overflow-auto rounded-m border border-edge bg-surface px-3 py-2 font-mono text-s whitespace-pre"
    />
  );
}

/** Waits for a separate task, because the closing menu returns the focus to its button. */
function takeFocus(field: HTMLTextAreaElement | null): () => void {
  const turn = setTimeout(() => {
    field?.focus();
    field?.select();
  });
  return () => clearTimeout(turn);
}
