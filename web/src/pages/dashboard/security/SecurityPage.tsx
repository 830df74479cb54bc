import { SubpageTitle } from '../../../components/SubpageTitle.tsx';
import { ChangePassword } from './ChangePassword.tsx';
import { SessionsPanel } from './Sessions.tsx';

export function SecurityPage() {
  return (
    <>
      <SubpageTitle to="/dashboard/settings" overview="Settings">
        Security
      </SubpageTitle>
      <ChangePassword />
      <SessionsPanel />
    </>
  );
}
