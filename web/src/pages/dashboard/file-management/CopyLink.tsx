import { publicLink } from '../../../lib/link.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { toast } from '../../../ui/toast.ts';
import type { RowProps } from './list-props.ts';

export function CopyLink({ file, rule }: Pick<RowProps, 'file' | 'rule'>) {
  return (
    <CopyButton
      text={publicLink(file, rule)}
      label={`Copy link of ${shownName(file.original_name)}`}
      onCopied={tellCopied}
    />
  );
}

function tellCopied(copied: boolean): void {
  if (copied) toast.success('Link copied to clipboard!');
  else toast.error('Failed to copy link');
}
