import type { FilePage as LoadedPage } from '@holdfast/contract/src/file-page.ts';
import { restorableHours } from '@holdfast/contract/src/limits.ts';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { ExternalLink, Star, Trash2 } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useTimeZone } from '../../../api/account/settings.ts';
import { isRefusal } from '../../../api/client/errors.ts';
import { useFile } from '../../../api/files.ts';
import { Picture } from '../../../components/Picture.tsx';
import { isImage } from '../../../lib/is-image.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { SubpageTitle } from '../../../components/SubpageTitle.tsx';
import { useDeletion } from '../../../components/use-deletion.tsx';
import { useFavorite } from '../../../components/use-favorite.ts';
import { formatSize } from '../../../lib/format.ts';
import { lazyPage } from '../../../lib/lazy-page.ts';
import { originOf, previewLink, publicLink } from '../../../lib/link.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { site } from '../../../lib/site.ts';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { Button, ButtonAnchor, ButtonLink } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Note } from '../../../ui/Note.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { HitsByDay } from './HitsByDay.tsx';
import { LinkForms } from './LinkForms.tsx';

const QrCode = lazyPage(async () => (await import('./QrCode.tsx')).QrCode);

const route = getRouteApi('/dashboard/file/$name');

export function FilePage() {
  const { name } = route.useParams();
  const { data, error, isPending, refetch } = useFile(name);
  const isGone = isRefusal(error, 'FILE_NOT_FOUND') || isRefusal(error, 'INVALID_INPUT');
  return (
    <>
      <SubpageTitle to="/dashboard/file-management" overview="File Management">
        {data ? shownName(data.file.original_name) : isGone ? 'Not found' : name}
      </SubpageTitle>
      {isGone && <Gone />}
      {error && !isGone && (
        <LoadFailure
          title="The file could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          className="mt-5"
        />
      )}
      {isPending && <SkeletonFile />}
      {data && !isGone && <LoadedFile data={data} />}
    </>
  );
}

function LoadedFile({ data }: { readonly data: LoadedPage }) {
  const { file } = data;
  const rule = {
    origin: originOf(data.preferred_domain, site.fileOrigins),
    show_file_extensions: data.show_file_extensions,
  };
  const link = publicLink(file, rule);
  return (
    <>
      <Actions file={file} link={link} />
      {file.is_pending_scan && <Note className="mt-4">Its link will work after a malware check.</Note>}
      <div className="mt-4 grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid grid-cols-1 gap-5">
          <LinkForms file={file} link={link} />
          <HitsByDay hits={file.hits} days={data.hits_by_day} />
        </div>
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-1">
          <Card className="overflow-hidden">
            {isImage(file) && <Picture src={previewLink(file, rule)} name={shownName(file.original_name)} />}
            <FileFacts file={file} />
          </Card>
          <Card className="p-5">
            <h2 className="font-medium">QR code</h2>
            <div className="mt-3 grid place-items-center">
              <Suspense fallback={<Skeleton className="size-44" />}>
                <QrCode text={link} />
              </Suspense>
            </div>
          </Card>
        </div>
      </div>
    </>
  );
}

type FileOf = { readonly file: LoadedPage['file'] };

function Actions({ file, link }: FileOf & { readonly link: string }) {
  const { remove, isDeleting } = useDeletion();
  const { flip, isFlipping } = useFavorite();
  const { navigate } = useRouter();
  const removeAndLeave = async () => {
    const deleted = await remove([file.name]);
    if (deleted.length > 0) await navigate({ to: '/dashboard/file-management' });
  };
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <ButtonAnchor href={link} target="_blank" rel="noreferrer">
        <ExternalLink aria-hidden />
        Open
      </ButtonAnchor>
      <Button
        aria-pressed={file.is_favorite}
        {...ariaDisabledUnless(!isFlipping, () => void flip(file.name))}
        className="aria-pressed:[&_svg]:fill-current aria-pressed:[&_svg]:text-buoy"
      >
        <Star aria-hidden />
        Favorite
      </Button>
      <Button
        variant="danger"
        busy={isDeleting}
        {...ariaDisabledUnless(!isDeleting, () => void removeAndLeave())}
        className="ml-auto"
      >
        {!isDeleting && <Trash2 aria-hidden />}
        {isDeleting ? 'Deleting...' : 'Delete'}
      </Button>
    </div>
  );
}

function FileFacts({ file }: FileOf) {
  const timeZone = useTimeZone();
  return (
    <dl className="grid gap-3 px-4 py-4 sm:px-5">
      <Fact name="Stored name">
        <span className="font-mono text-s">{file.name}</span>
      </Fact>
      <Fact name="Type">{file.content_type}</Fact>
      <Fact name="Size">
        <span className="figures text-s">{formatSize(file.size)}</span>
      </Fact>
      <Fact name="Uploaded">
        <RelativeTime at={file.time_added} timeZone={timeZone} />
      </Fact>
      <Fact name="Last accessed">
        <RelativeTime at={file.last_accessed} timeZone={timeZone} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-s text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

function Gone() {
  return (
    <Card className="mt-5">
      <EmptyState
        title="This file doesn't exist or was deleted"
        action={<ButtonLink to="/dashboard/deleted-files">Recently Deleted</ButtonLink>}
      >
        Files deleted in the last {restorableHours} hours can be restored.
      </EmptyState>
    </Card>
  );
}

function SkeletonFile() {
  return (
    <Card className="mt-5 grid gap-3 px-4 py-5 sm:px-5">
      <p className="sr-only">Loading file...</p>
      <Skeleton className="h-4 w-56" />
      <Skeleton className="h-3 w-80 max-w-full" />
      <Skeleton className="h-3 w-64 max-w-full" />
    </Card>
  );
}
