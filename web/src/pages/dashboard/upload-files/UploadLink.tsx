import { CopyButton } from '../../../ui/CopyButton.tsx';
import { toast } from '../../../ui/toast.ts';

export interface UploadLinkProps {
  readonly name: string;
  readonly url: string;
}

export function UploadLink({ name, url }: UploadLinkProps) {
  return (
    <div className="mt-1.5 flex items-center gap-2 rounded-[6px] bg-sunken pl-3">
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="min-w-0 flex-1 truncate py-1.5 font-mono text-s text-sea hover:underline"
      >
        {url.replace(/^https?:\/\//, '')}
      </a>
      <CopyButton text={url} label={`Copy link of ${name}`} onCopied={tellCopied} />
    </div>
  );
}

function tellCopied(copied: boolean): void {
  if (copied) toast.success('Link copied to clipboard!');
  else toast.error('Failed to copy link');
}
