import { TitleBelow } from '../../../layouts/dashboard/TitleBelow.tsx';
import { ChangePassword } from './ChangePassword.tsx';
import { Sessions } from './Sessions.tsx';

export function SecurityPage() {
  return (
    <>
      <TitleBelow to="/dashboard/settings" overview="Settings">
        Security
      </TitleBelow>
      <ChangePassword />
      <Sessions />
    </>
  );
}
