import { useLocation } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/Button.tsx';
import { ContoursAround } from '../../ui/Contours.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';

export function NotFoundPage() {
  const inDashboard = useLocation().pathname.startsWith('/dashboard');
  return (
    <div className="relative grid min-h-[70dvh] flex-1 place-items-center overflow-clip px-4 py-24">
      <ContoursAround />
      <div className="relative flex max-w-[46ch] flex-col items-center gap-3 text-center">
        <PageTitle tab="Not found">Whoops, there's nothing here...</PageTitle>
        <p className="text-muted">The page you're looking for doesn't exist or has moved.</p>
        <ButtonLink
          to={inDashboard ? '/dashboard' : '/'}
          activeOptions={{ exact: true }}
          variant="primary"
          className="mt-3"
        >
          {inDashboard ? 'Go to Upload Files' : 'Go to the home page'}
        </ButtonLink>
      </div>
    </div>
  );
}
