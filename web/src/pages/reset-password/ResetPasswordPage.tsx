import { Link } from '@tanstack/react-router';
import { AuthPage } from '../../layouts/AuthPage.tsx';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { textLink } from '../../ui/text-link.ts';
import { ResetForm } from './ResetForm.tsx';
import { useResetKey } from './use-reset-key.ts';

export function ResetPasswordPage() {
  const resetKey = useResetKey();
  if (resetKey === undefined) return <LinkNeeded />;
  return (
    <AuthPage title="Reset Password" intro="Choose the password you sign in with from now on." footer={<ToNewLink />}>
      {/* Another link is another attempt. */}
      <ResetForm key={resetKey} resetKey={resetKey} />
    </AuthPage>
  );
}

function LinkNeeded() {
  return (
    <AuthPage
      title="Reset Password"
      intro="This page opens from the link in our email. Follow the link in the newest one, or have another one sent."
    >
      <ButtonLink to="/forget-password" variant="primary" size="l" className="w-full">
        Send a new link
      </ButtonLink>
    </AuthPage>
  );
}

function ToNewLink() {
  return (
    <>
      The link is too old or used already?{' '}
      <Link to="/forget-password" className={textLink}>
        Send a new link
      </Link>
    </>
  );
}
