/** The forms for a new password, which also refuse the name of this site as the server does. */
import { isMadeFromSite, tooCommon } from '@holdfast/contract/src/guessable.ts';
import * as rules from '@holdfast/contract/src/rules.ts';
import * as z from 'zod/mini';
import { site } from './site.ts';

const notTheSite = <Name extends string>(field: Name) =>
  z.refine<Readonly<Record<Name, string>>>((form) => !isMadeFromSite(form[field], site.name), {
    path: [field],
    error: tooCommon,
  });

export const signUpForm = rules.signUpForm.check(notTheSite('password'));
export const newPasswordForm = rules.newPasswordForm.check(notTheSite('password'));
export const changePasswordForm = rules.changePasswordForm.check(notTheSite('new_password'));
