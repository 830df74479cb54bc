import type { Account } from '@holdfast/contract/src/account.ts';
import { Suspense } from 'react';
import { useFirstSteps } from '../../../api/account/first-steps.ts';
import { lazyPage } from '../../../lib/lazy-page.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { FirstStepsProps } from './FirstSteps.tsx';

// Nothing else waits for it.
const FirstSteps = lazyPage<FirstStepsProps>(() =>
  import('./FirstSteps.tsx').then(
    (code) => code.FirstSteps,
    () => () => null,
  ),
);

/** Accounts without a list load none of it. */
export function FirstStepsPlace({ account }: { readonly account: Account }) {
  return account.first_steps && <Place email={account.info.email} />;
}

function Place({ email }: { readonly email: string }) {
  const { data: list, isPending } = useFirstSteps();
  const space = <Skeleton className="mt-5 h-83 rounded-m" />;
  if (isPending) return space;
  return <Suspense fallback={space}>{list && <FirstSteps list={list} email={email} />}</Suspense>;
}
