import { Check, ChevronDown, Copy } from 'lucide-react';
import { Button } from '../../../ui/Button.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { toast } from '../../../ui/toast.ts';
import { useCopied } from '../../../ui/use-copied.ts';
import { allLinks, type LinkFormat, linkFormats } from './all-links.ts';
import type { Finished } from './views.ts';

export function CopyAllLinks({ links }: { readonly links: readonly Finished[] }) {
  const [state, copy] = useCopied();
  const copyAs = async (format: LinkFormat) => {
    if (await copy(allLinks(links, format))) toast.success('Links copied to clipboard!');
    else toast.error('Failed to copy links');
  };
  return (
    <div className="ml-auto">
      <Menu
        trigger={
          <Button>
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
  );
}
