import { Skeleton } from '../../../ui/Skeleton.tsx';

export function SkeletonActivity() {
  return (
    <>
      <p className="sr-only">Loading activity...</p>
      {Array.from({ length: 3 }, (_, entry) => (
        <div key={entry} className="grid gap-2 border-b border-line px-4 py-4 last:border-0">
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-3 w-80 max-w-full" />
        </div>
      ))}
    </>
  );
}
