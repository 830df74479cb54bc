import type { DeletedFile } from '@holdfast/contract/src/deleted-files.ts';
import { restorableHours } from '@holdfast/contract/src/limits.ts';
import { useTimeZone } from '../../../api/account/settings.ts';
import { useDeletedFiles } from '../../../api/files.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { SubpageTitle } from '../../../components/SubpageTitle.tsx';
import { useRestoration } from '../../../components/use-restoration.ts';
import { formatCount, formatSize } from '../../../lib/format.ts';
import { useNow } from '../../../lib/now.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useDrawnRows } from '../../../ui/use-drawn-rows.ts';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';

export function DeletedFilesPage() {
  const { data, error, isPending, refetch } = useDeletedFiles();
  const { restore, restoring } = useRestoration();
  const now = useNow();
  const region = useKeptFocus();
  const files = data?.files.filter((file) => timeLeft(file, now) > 0);
  const names = files?.map(({ name }) => name) ?? [];
  return (
    <>
      <SubpageTitle to="/dashboard/file-management" overview="File Management">
        Recently Deleted
      </SubpageTitle>
      <section {...region.props} aria-label="Deleted files" tabIndex={-1} className="outline-none">
        <div className="mt-2 mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="text-muted">For {restorableHours} hours, deleted files can be restored under the same links.</p>
          {names.length > 1 && (
            <Button
              busy={restoring !== undefined && restoring.length > 1}
              {...ariaDisabledUnless(restoring === undefined, () => void restore(names))}
            >
              Restore all ({formatCount(names.length)})
            </Button>
          )}
        </div>
        {error && (
          <LoadFailure
            title={data ? 'The list could not be refreshed' : 'The list could not be loaded'}
            error={error}
            onRetry={() => void refetch()}
            className="mb-3"
          />
        )}
        {(data ?? isPending) && (
          <Card>
            {!files && <SkeletonFiles />}
            {files?.length === 0 && <NothingDeleted />}
            {files && files.length > 0 && (
              <DeletedFiles files={files} names={names} now={now} restoring={restoring} onRestore={restore} />
            )}
          </Card>
        )}
        {data?.more && (
          <p className="mt-3 text-s text-muted">
            These are the newest {formatCount(data.files.length)}. Older ones appear when these are restored.
          </p>
        )}
      </section>
    </>
  );
}

interface DeletedFilesProps {
  readonly files: readonly DeletedFile[];
  readonly names: readonly string[];
  readonly now: number;
  readonly restoring: readonly string[] | undefined;
  readonly onRestore: (names: readonly string[]) => Promise<void>;
}

/** Usual height of a row; that of a phone is measured. */
const rowHeight = 77;

function DeletedFiles({ files, names, now, restoring, onRestore }: DeletedFilesProps) {
  const { place, measure, rows, rest } = useDrawnRows(names, rowHeight);
  return (
    <ul aria-label="Deleted files" ref={place} style={{ paddingBottom: rest }}>
      {rows.map(({ index, gap }) => {
        const file = files[index];
        if (!file) return null;
        const shown = shownName(file.original_name);
        return (
          <li
            key={file.name}
            ref={measure}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={files.length}
            style={gap === 0 ? undefined : { marginTop: gap }}
            className="flex items-center gap-4 border-b border-line px-4 py-3.5 last:border-0 sm:px-5"
          >
            <DeletedFileFacts file={file} now={now} />
            <Button
              aria-label={`Restore ${shown}`}
              busy={restoring?.includes(file.name)}
              {...ariaDisabledUnless(restoring === undefined, () => void onRestore([file.name]))}
            >
              Restore
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function DeletedFileFacts({ file, now }: { readonly file: DeletedFile; readonly now: number }) {
  const timeZone = useTimeZone();
  return (
    <div className="min-w-0 flex-1">
      <p className="truncate font-medium" title={shownName(file.original_name)}>
        <bdi>{shownName(file.original_name)}</bdi>
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-4 text-s text-muted">
        <span className="font-mono">{file.name}</span>
        <span className="figures">{formatSize(file.size)}</span>
        <span>
          deleted <RelativeTime at={file.deleted} timeZone={timeZone} /> {byWhom[file.reason]}
        </span>
        <span>{timeLeftInWords(timeLeft(file, now))}</span>
      </p>
    </div>
  );
}

const byWhom: Readonly<Record<DeletedFile['reason'], string>> = {
  owner: '',
  continuous_uploading: 'to make room (Continuous Uploading)',
  inactivity: 'as inactive (Auto Delete)',
  dormancy: 'with an unused account',
};

const hourMs = 3_600_000;

const timeLeft = ({ deleted }: DeletedFile, now: number): number =>
  Date.parse(deleted) + restorableHours * hourMs - now;

/** `23 hours left`, in the last hour `12 minutes left`. */
function timeLeftInWords(ms: number): string {
  const [count, unit] = ms >= hourMs ? [Math.floor(ms / hourMs), 'hour'] : [Math.ceil(ms / 60_000), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'} left`;
}

function NothingDeleted() {
  return (
    <EmptyState
      title="Nothing to restore"
      action={<ButtonLink to="/dashboard/file-management">File Management</ButtonLink>}
    >
      Files that you delete stay here for {restorableHours} hours.
    </EmptyState>
  );
}

function SkeletonFiles() {
  return (
    <>
      <p className="sr-only">Loading deleted files...</p>
      {Array.from({ length: 3 }, (_, row) => (
        <div key={row} className="grid gap-2 border-b border-line px-4 py-4 last:border-0 sm:px-5">
          <Skeleton className="h-4 w-44" />
          <Skeleton className="h-3 w-80 max-w-full" />
        </div>
      ))}
    </>
  );
}
