import { useRouterState } from '@tanstack/react-router';

/** A line below the header while a page is loading. A fast page shows none. */
export function PageProgress() {
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
  return (
    isLoading && (
      <div aria-hidden className="fixed inset-x-0 top-16 z-50 h-0.5 animate-late overflow-hidden">
        <div className="h-full w-1/3 bg-sea motion-safe:animate-pass motion-reduce:w-full" />
      </div>
    )
  );
}
