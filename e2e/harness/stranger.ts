import { type Person, signUpAndIn, test as base } from './test.ts';

/** `stranger` has an account but is not signed in. */
export const test = base.extend<{ stranger: Person }>({
  stranger: async ({ site, context }, use) => {
    const stranger = await signUpAndIn(site, context);
    await context.clearCookies();
    await use(stranger);
  },
});
