import { errorMessage } from '../api/client/errors.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';

export interface LoadFailureProps {
  readonly title: string;
  readonly error: Error;
  readonly onRetry: () => void;
  readonly className?: string;
}

/** Shown in place of content that could not be loaded, with the cause and a retry button. */
export function LoadFailure({ title, error, onRetry, className }: LoadFailureProps) {
  return (
    <div className={className}>
      <ErrorBox>
        <p className="font-medium">{title}</p>
        <p className="text-muted">{errorMessage(error)}</p>
        <Button className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      </ErrorBox>
    </div>
  );
}
