import { actingForHeader } from '@holdfast/contract/src/calls.ts';

let email: string | undefined;

/** Whom this tab shows. Another tab may sign somebody else in, and the cookie is then theirs. */
export function actFor(account: { readonly info: { readonly email: string } } | null): void {
  email = account?.info.email;
}

/** Gives a call the header that says for whom it is meant, where somebody is shown. */
export function nameAccount(setHeader: (name: string, value: string) => void): void {
  if (email !== undefined) setHeader(actingForHeader, email);
}
