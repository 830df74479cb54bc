import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';

export interface NoActivityProps {
  readonly page: number;
  /** Of all pages. */
  readonly total: number;
}

/** Nothing at all, or nothing on this page. */
export function NoActivity({ page, total }: NoActivityProps) {
  if (total > 0)
    return (
      <EmptyState
        title={`There is nothing on page ${page}`}
        action={
          <ButtonLink to="/dashboard/usage" resetScroll={false}>
            Go to the first page
          </ButtonLink>
        }
      >
        The list has become shorter, or the address was mistyped.
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing has happened">
      No file went without you. Should a rule, a scan for malware or a complaint take one, it stands here with the
      reason.
    </EmptyState>
  );
}
