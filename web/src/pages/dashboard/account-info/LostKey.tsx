import { Link } from '@tanstack/react-router';
import { textLink } from '../../../ui/text-link.ts';

/** In the place of a key that the server can no longer show. */
export function LostKey() {
  return (
    <>
      Your key works, but it can no longer be shown here.{' '}
      <Link to="/dashboard/change-api" className={textLink}>
        Make a new one
      </Link>{' '}
      to see it.
    </>
  );
}
