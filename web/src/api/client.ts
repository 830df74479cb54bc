import { calls } from '@holdfast/contract/src/calls.ts';
import { createClient } from '@holdfast/contract/src/client.ts';
import { nameAccount } from './acting-for.ts';

export const client = createClient((input, init) => {
  const headers = new Headers(init?.headers);
  // Who is signed in is what this one asks.
  if (input !== calls.getAccountInfo.path) nameAccount((name, email) => headers.set(name, email));
  return window.fetch(input, { ...init, headers });
});
