import { cleanOriginalName } from '@holdfast/contract/src/original-name.ts';
import type { UnfinishedUpload } from '@holdfast/contract/src/unfinished-uploads.ts';
import { X } from 'lucide-react';
import { useState } from 'react';
import { fingerprintOf } from '../../../api/upload/fingerprint.ts';
import { formatSize } from '../../../lib/format.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { toast } from '../../../ui/toast.tsx';
import { focusAfter, places } from './focus-after.ts';
import { asUploaded } from './location-choice.ts';
import { addFiles, continueUpload, forgetUpload } from './upload-queue-instance.ts';

export interface UnfinishedUploadsProps {
  readonly uploads: readonly UnfinishedUpload[];
  readonly owner: string;
}

/** A browser keeps no file, so each one is chosen again. */
export function UnfinishedUploads({ uploads, owner }: UnfinishedUploadsProps) {
  return (
    <Card className="mt-3">
      <div className="border-b border-line px-4 py-3 sm:px-5">
        <h2 className="font-medium">Unfinished uploads</h2>
        <p className="text-s text-muted">
          To continue, choose the same file again. Unfinished uploads expire after a day.
        </p>
      </div>
      <ul aria-label="Unfinished uploads">
        {uploads.map((upload) => (
          <li key={upload.path} className="border-b border-line last:border-0">
            <Unfinished upload={upload} owner={owner} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Unfinished({ upload, owner }: { readonly upload: UnfinishedUpload; readonly owner: string }) {
  const [changed, setChanged] = useState<File>();
  const name = shownName(upload.original_name);
  const take = async (file: File) => {
    if (cleanOriginalName(file.name) !== upload.original_name)
      return void toast.error(`That is not ${name}. Choose the same file.`);
    // A photo may have been sent without its location, and its first bytes do not always tell.
    for (const each of [...(await asUploaded([file])), file])
      if (await isSame(each, upload)) return void continueUpload(each, upload.path, owner);
    return setChanged(file);
  };
  const remove = () => focusAfter(() => void forgetUpload(upload.path, owner), places.browse);
  return (
    <div className="relative flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 sm:px-5">
      <div className="min-w-0 flex-1 basis-36">
        <p className="truncate" title={name}>
          <bdi>{name}</bdi>
        </p>
        {changed ? (
          <p className="text-s text-muted">It has changed since. Upload it as a new file?</p>
        ) : (
          <p className="figures text-s text-muted">
            {formatSize(upload.stored)} of {formatSize(upload.size)}
          </p>
        )}
      </div>
      <div className="-mr-2 ml-auto flex items-center gap-2">
        {changed ? (
          <Button
            onClick={() => {
              void addFiles([changed], { owner, away: false });
              remove();
            }}
          >
            Upload as new
          </Button>
        ) : (
          <Button aria-label={`Continue ${name}`} onClick={() => chooseFile((file) => void take(file))}>
            Continue
          </Button>
        )}
        <IconButton label={`Remove ${name}`} onClick={remove}>
          <X />
        </IconButton>
      </div>
      <div className="absolute inset-x-0 -bottom-px">
        <ProgressBar height="hairline" value={upload.stored / upload.size} label={`${name} upload`} />
      </div>
    </div>
  );
}

async function isSame(file: File, { size, modified, fingerprint }: UnfinishedUpload): Promise<boolean> {
  if (file.size !== size || (modified !== null && file.lastModified !== Date.parse(modified))) return false;
  // One that cannot be read says so in the queue.
  return fingerprint === null || (await fingerprintOf(file).catch(() => fingerprint)) === fingerprint;
}

function chooseFile(onFile: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.onchange = () => input.files?.[0] && onFile(input.files[0]);
  input.click();
}
