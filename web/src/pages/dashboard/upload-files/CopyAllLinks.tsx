import { Check, ChevronDown, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { Disclosure, disclosureItem } from '../../../ui/Disclosure.tsx';
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
  const face = (
    <>
      {state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
      Copy all links
      <ChevronDown aria-hidden />
    </>
  );
  return (
    <>
      <div className="max-sm:grow">
        {hasLinks ? (
          <Disclosure trigger={face} triggerClassName={buttonLook({}, 'max-sm:w-full')}>
            {linkFormats.map((format) => (
              <button key={format} type="button" className={disclosureItem} onClick={() => void copyAs(format)}>
                {format}
              </button>
            ))}
          </Disclosure>
        ) : (
          <Button disabled className="max-sm:w-full">
            {face}
          </Button>
        )}
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
      className="col-span-full basis-full resize-y overflow-auto rounded-m border border-edge bg-surface px-3 py-2 font-mono text-s whitespace-pre"
    />
  );
}

/** Waits for a separate task, because the closing panel returns the focus to its button. */
function takeFocus(field: HTMLTextAreaElement | null): () => void {
  const turn = setTimeout(() => {
    field?.focus();
    field?.select();
  });
  return () => clearTimeout(turn);
}
