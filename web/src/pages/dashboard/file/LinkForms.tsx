import type { StoredFile } from '@holdfast/contract/src/files.ts';
import { useSha1 } from '../../../api/files.ts';
import { isImage } from '../../../lib/is-image.ts';
import { curlWithCheck, linkForms, serverProperties } from '../../../lib/link-forms.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { Card } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { toast } from '../../../ui/toast.tsx';

export interface LinkFormsProps {
  readonly file: StoredFile;
  readonly link: string;
}

/** The link as people paste it elsewhere, and the digests that prove what it leads to. */
export function LinkForms({ file, link }: LinkFormsProps) {
  const named = { name: shownName(file.original_name), url: link, isImage: isImage(file) };
  const isPack = file.extension === 'zip';
  const sha1 = useSha1(file.name);
  return (
    <Card>
      <h2 className="px-4 pt-4 pb-1 font-medium sm:px-5">Link</h2>
      <dl className="divide-y divide-line">
        {Object.entries(linkForms).map(([title, write]) => (
          <Copied key={title} title={title} text={write(named)} />
        ))}
        <Copied title="curl, with a check of the SHA-256" text={curlWithCheck(named, file.sha256)} />
        {isPack && sha1 && (
          <Copied title="server.properties, for a resource pack" text={serverProperties(link, sha1)} />
        )}
        <Copied title="SHA-256" text={file.sha256} />
        {sha1 && <Copied title="SHA-1" text={sha1} />}
      </dl>
    </Card>
  );
}

function Copied({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 py-2 pr-2 pl-4 sm:pl-5">
      <dt className="text-s text-muted">{title}</dt>
      <dd className="col-start-1 font-mono text-s whitespace-pre-wrap wrap-anywhere">{text}</dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <CopyButton text={text} label={`Copy: ${title}`} onCopied={tellCopied} />
      </dd>
    </div>
  );
}

function tellCopied(copied: boolean): void {
  if (copied) toast.success('Copied to clipboard!');
  else toast.error('Failed to copy');
}
