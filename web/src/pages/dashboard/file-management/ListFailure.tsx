import { errorMessage } from '../../../api/errors.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorBox } from '../../../ui/ErrorBox.tsx';

export interface ListFailureProps {
  readonly error: Error;
  /** Whether the rows of an earlier answer are still shown. */
  readonly stale: boolean;
  readonly onRetry: () => void;
}

export function ListFailure({ error, stale, onRetry }: ListFailureProps) {
  return (
    <div className="mb-3">
      <ErrorBox>
        <p className="font-medium">{stale ? 'The list could not be refreshed' : 'The list could not be loaded'}</p>
        <p className="text-muted">{errorMessage(error)}</p>
        <Button className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      </ErrorBox>
    </div>
  );
}
