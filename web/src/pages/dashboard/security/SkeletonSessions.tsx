import { Skeleton } from '../../../ui/Skeleton.tsx';

export function SkeletonSessions() {
  return (
    <div className="flex flex-col gap-2.5 px-4 py-4 sm:px-5">
      <p className="sr-only">Loading sessions...</p>
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-3 w-64 max-w-full" />
    </div>
  );
}
