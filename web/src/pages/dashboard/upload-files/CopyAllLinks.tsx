import { Check, ChevronDown, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { toast } from '../../../ui/toast.ts';
import { useCopied } from '../../../ui/use-copied.ts';
import { allLinks, type LinkFormat, linkFormats } from './all-links.ts';
import { LinksToCopy } from './LinksToCopy.tsx';
import { summaryOf } from './summary.ts';
import { uploads } from './tab-uploads.ts';
import { useQueue } from './use-queue.ts';
import { finished } from './views.ts';

/** There once there is a link to copy. */
export function CopyAllLinks() {
  const hasLinks = useQueue((queue) => summaryOf(queue).all.success > 0);
  return hasLinks && <CopyMenu />;
}

function CopyMenu() {
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
      <div className="max-sm:grow sm:ml-auto">
        <Menu
          trigger={
            <Button className="max-sm:w-full">
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
