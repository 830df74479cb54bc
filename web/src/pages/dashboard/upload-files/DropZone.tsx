import type { Account } from '@holdfast/contract/src/account.ts';
import { unlimited } from '@holdfast/contract/src/plans.ts';
import { useRef } from 'react';
import { formatCountLimit, formatSizeLimit } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Contours } from '../../../ui/Contours.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { planNamed } from '../../../lib/plans.ts';
import { useStore } from '../../../lib/store.ts';
import { places } from './focus-after.ts';
import { locationChoice } from './location-choice.ts';
import { canStart } from './queue.ts';
import { pauseOf } from './selectors.ts';
import { uploads } from './upload-queue-instance.ts';
import { useQueue } from './use-queue.ts';

export interface DropZoneProps {
  readonly account: Account;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onFolder: (files: readonly File[]) => void;
}

/** Area for choosing files. Drops are accepted anywhere on the page, so this area only mentions them. */
export function DropZone({ account, onFiles, onFolder }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={zone}>
      <Contours withSoundings={false} className={contours} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Otherwise choosing the same file again would not fire a change event.
          target.value = '';
        }}
      />
      <p className="relative text-l">
        <span className="touch:hidden">Drop files here or </span>
        <button type="button" id={places.browse} onClick={() => input.current?.click()} className={browse}>
          browse files
        </button>
      </p>
      <p className="relative mt-1 text-muted touch:hidden">You can also paste files or text, or drop a folder.</p>
      <div className="relative mt-4 flex flex-wrap justify-center gap-2">
        <StartButton id={places.start} />
        {/* Phones have no folders to choose. */}
        <Button className="touch:hidden" onClick={() => chooseFolder(onFolder)}>
          Choose a folder
        </Button>
      </div>
      <LocationChoice />
      <NothingChosen />
      <PlanNote account={account} />
    </div>
  );
}

const zone =
  'relative mt-5 overflow-hidden rounded-m border-[1.5px] border-dashed border-edge bg-surface px-4 pt-9 text-center sm:px-6';
/** They leave out the middle, where the words are. */
const contours =
  'absolute inset-0 size-full opacity-45 max-sm:hidden [mask-image:linear-gradient(to_right,black,transparent_28%,transparent_72%,black)]';
const browse =
  'font-medium text-sea underline decoration-1 underline-offset-4 hover:text-sea-strong max-[860px]:min-h-11 touch:min-h-11 touch:rounded-m touch:border touch:border-edge touch:px-6 touch:no-underline touch:first-letter:uppercase';

function chooseFolder(onFolder: (files: readonly File[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.webkitdirectory = true;
  input.onchange = () => onFolder([...(input.files ?? [])]);
  input.click();
}

/** Stays focusable while disabled, so that a press does not lose the focus. */
function StartButton({ id }: { readonly id: string }) {
  const running = useQueue((queue) => queue.running);
  const ready = useQueue(canStart);
  const isPaused = useQueue((queue) => ['offline', 'paused'].includes(pauseOf(queue) ?? ''));
  return (
    <Button
      id={id}
      variant="primary"
      busy={running && !isPaused}
      aria-disabled={!ready}
      className="min-w-36"
      onClick={() => uploads.dispatch({ type: 'start' })}
    >
      {startText(running, isPaused)}
    </Button>
  );
}

function startText(running: boolean, isPaused: boolean): string {
  if (!running) return 'Upload Files';
  return isPaused ? 'Paused' : 'Uploading...';
}

/** Applies to files that are added later. */
function LocationChoice() {
  const choice = useStore(locationChoice);
  return (
    <div className="relative mt-3">
      <Switch
        label="Remove location from photos"
        checked={choice === 'remove'}
        onChange={(on) => locationChoice.set(on ? 'remove' : 'keep')}
      />
    </div>
  );
}

function NothingChosen() {
  const isEmpty = useQueue((queue) => queue.ids.length === 0);
  return <p className="relative mt-1 min-h-5 text-s text-muted">{isEmpty && 'No files selected for upload'}</p>;
}

function PlanNote({ account }: { readonly account: Account }) {
  const { limits, usage } = account;
  // The account is fetched only now and then during a batch.
  const running = useQueue((queue) => queue.running);
  return (
    <div className="relative -mx-4 mt-4 border-t border-line bg-surface px-4 py-3 text-left text-s text-muted sm:-mx-6 sm:px-6">
      <dl className="flex flex-wrap gap-x-8 gap-y-1">
        <Fact label="Per file" value={formatSizeLimit(limits.max_file_size)} />
        {!running && (
          <>
            <Fact label="Space left" value={formatSizeLimit(left(limits.space_quota, usage.space_used))} />
            <Fact label="Slots left" value={formatCountLimit(left(limits.slots_quota, usage.slots_used))} />
          </>
        )}
      </dl>
      <AllowedTypes account={account} />
    </div>
  );
}

const left = (quota: number, used: number) => (quota >= unlimited ? unlimited : Math.max(0, quota - used));

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="flex gap-2">
      <dt>{label}</dt>
      <dd className="figures text-ink">{value}</dd>
    </div>
  );
}

function AllowedTypes({ account }: { readonly account: Account }) {
  const { level } = account.info;
  const allowed = planNamed(level)?.allowedExtensions;
  if (!allowed) return <p className="mt-1">{level} accepts every file type.</p>;
  return (
    <details className="mt-1">
      <summary className="w-fit py-1 underline decoration-line underline-offset-4 hover:text-ink phone:py-3">
        {level} accepts {allowed.size} file types
      </summary>
      <p className="py-1 font-mono leading-6 break-words">{[...allowed].join(' ')}</p>
    </details>
  );
}
