import { useEffect, useId, useRef } from 'react';
import { useFilesToGo } from '../../../api/files-to-go.ts';
import { LoadFailure } from '../../../layouts/LoadFailure.tsx';
import { Button } from '../../../ui/Button.tsx';
import { FilesToGo } from './FilesToGo.tsx';
import { SkeletonFiles } from './SkeletonFiles.tsx';

export interface ConfirmContinuousProps {
  readonly onAnswer: (yes: boolean) => void;
}

/** Which files would go first, before anybody agrees to it. Escape leaves it off. */
export function ConfirmContinuous({ onAnswer }: ConfirmContinuousProps) {
  const { data, error, isFetching, refetch } = useFilesToGo();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    // Reading starts at the top, and not at the first button, which may be below the fold.
    heading.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={() => onAnswer(dialog.current?.returnValue === agreed)}
      className={panel}
    >
      <div className="p-5">
        <h2 ref={heading} id={id} tabIndex={-1} className="text-title-s font-semibold outline-none">
          Turn on Continuous Uploading?
        </h2>
        <div className="mt-2" aria-busy={isFetching}>
          {data && <FilesToGo {...data} />}
          {!data && isFetching && <SkeletonFiles />}
          {!data && !isFetching && error && (
            <LoadFailure
              title="The files that would go first could not be loaded"
              error={error}
              onRetry={() => {
                void refetch();
                heading.current?.focus();
              }}
            />
          )}
        </div>
        <div className="mt-5 flex flex-wrap-reverse justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button variant="danger" aria-disabled={!data} onClick={() => data && dialog.current?.close(agreed)}>
            Turn on
          </Button>
        </div>
      </div>
    </dialog>
  );
}

/** What the dialog closes with; closed in any other way it has nothing to say. */
const agreed = 'agreed';

const panel =
  'm-auto max-h-[calc(100dvh-32px)] w-[min(520px,calc(100vw-32px))] overflow-y-auto overscroll-contain rounded-m border border-edge bg-surface text-m text-ink ' +
  'max-[860px]:[--control:44px] backdrop:bg-[oklch(0.2_0.02_215_/_0.45)]';
