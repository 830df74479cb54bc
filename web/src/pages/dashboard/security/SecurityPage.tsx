import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ChangePassword } from './ChangePassword.tsx';
import { Sessions } from './Sessions.tsx';

export function SecurityPage() {
  return (
    <>
      <PageTitle>Security</PageTitle>
      <ChangePassword />
      <Sessions />
    </>
  );
}
