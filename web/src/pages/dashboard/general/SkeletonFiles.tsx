import { Skeleton } from '../../../ui/Skeleton.tsx';

export function SkeletonFiles() {
  return (
    <>
      <output className="text-muted">Looking up which files would go first...</output>
      <div className="mt-3 grid gap-4 border-y border-line py-3">
        <Skeleton className="h-3.5 w-56" />
        <Skeleton className="h-3.5 w-48" />
        <Skeleton className="h-3.5 w-64 max-w-full" />
      </div>
    </>
  );
}
