import { Skeleton } from '../../../ui/Skeleton.tsx';

export function SkeletonCards() {
  return Array.from({ length: 5 }, (_, card) => (
    <div key={card} className="grid gap-2 border-b border-line p-4 pl-14 last:border-0">
      <Skeleton className="h-3.5 w-36" />
      <Skeleton className="h-3 w-52" />
      <Skeleton className="h-3 w-44" />
    </div>
  ));
}
