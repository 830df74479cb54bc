import { type ReactNode, useRef } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Contours } from '../../../ui/Contours.tsx';
import { chooseFolder } from './choose-folder.ts';
import { places } from './focus-after.ts';

export interface DropZoneProps {
  readonly onFiles: (files: readonly File[]) => void;
  /** What may be dropped, said before choosing. */
  readonly children: ReactNode;
}

/** Where files are chosen. Drops are taken anywhere on the page, so here there is only the word for it. */
export function DropZone({ onFiles, children }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={zone}>
      <Contours withSoundings={false} className="absolute inset-0 size-full opacity-45" />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Or choosing the same file once more would change nothing.
          target.value = '';
        }}
      />
      <p className="relative text-l">
        Drop files here or{' '}
        <button type="button" id={places.browse} onClick={() => input.current?.click()} className={browse}>
          browse files
        </button>
      </p>
      <p className="relative mt-1 text-muted">Pasting works too, and so do whole folders.</p>
      {/* Phones have no folders to choose. */}
      <Button variant="quiet" className="relative mt-3 touch:hidden" onClick={() => chooseFolder(onFiles)}>
        Choose a folder
      </Button>
      {children}
    </div>
  );
}

const zone =
  'relative mt-5 overflow-hidden rounded-m border-[1.5px] border-dashed border-edge bg-surface px-4 pt-9 text-center sm:px-6';
const browse =
  'font-medium text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong max-[860px]:min-h-11 touch:min-h-11';
