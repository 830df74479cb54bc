import { errorMessage } from '../api/errors.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';

export interface LoadFailureProps {
  /** What could not be loaded, as a sentence. */
  readonly title: string;
  readonly error: Error;
  readonly onRetry: () => void;
  readonly className?: string;
}

/** In the place of what could not be loaded: why not, and another try. */
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
