import { TitleBelow } from '../../../layouts/dashboard/TitleBelow.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ConfirmChange } from './ConfirmChange.tsx';
import { NewKey } from './NewKey.tsx';
import { useKeyChange } from './use-key-change.ts';

export function ChangeApiPage() {
  const { newKey, error, busy, change } = useKeyChange();
  return (
    <>
      <TitleBelow to="/dashboard/settings" overview="Settings">
        Change API
      </TitleBelow>
      <Card className="mt-5 max-w-3xl px-4 py-5 sm:px-5">
        {newKey === undefined ? (
          <ConfirmChange error={error} busy={busy} onConfirm={change} />
        ) : (
          <NewKey value={newKey} />
        )}
      </Card>
    </>
  );
}
