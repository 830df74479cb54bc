import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { Button } from '../../../ui/Button.tsx';
import { Contours } from '../../../ui/Contours.tsx';
import { chooseFolder } from './choose-folder.ts';
import { DropOverlay } from './DropOverlay.tsx';

export interface DropZoneProps {
  readonly onFiles: (files: readonly File[]) => void;
  /** What may be dropped, said before choosing. */
  readonly children: ReactNode;
}

export function DropZone({ onFiles, children }: DropZoneProps) {
  // The page listens for pasted files as a whole.
  const { getRootProps, getInputProps, open, isDragGlobal } = useDropzone({
    onDrop: onFiles,
    noClick: true,
    noKeyboard: true,
    noPaste: true,
  });
  return (
    <div {...getRootProps({ className: clsx(zone, isDragGlobal && 'border-sea') })}>
      {isDragGlobal && <DropOverlay />}
      <Contours withSoundings={false} className="absolute inset-0 size-full opacity-45" />
      <input {...getInputProps({ 'aria-label': 'Files to upload' })} />
      <p className="relative text-l">
        Drop files here or{' '}
        <button type="button" onClick={open} className={browse}>
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
  'relative mt-5 overflow-hidden rounded-m border-[1.5px] border-dashed border-edge bg-surface px-4 pt-9 text-center transition-colors duration-150 sm:px-6';
const browse =
  'font-medium text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong max-[860px]:min-h-11 touch:min-h-11';
