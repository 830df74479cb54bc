import { errorMessage } from '../../../api/errors.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorBox } from '../../../ui/ErrorBox.tsx';

export function SessionsFailure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <div className="mt-3">
      <ErrorBox>
        <p className="font-medium">The sessions could not be loaded</p>
        <p className="text-muted">{errorMessage(error)}</p>
        <Button className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      </ErrorBox>
    </div>
  );
}
