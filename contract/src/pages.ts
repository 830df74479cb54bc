/** The paths that are pages of the web app. The server answers any other with 404, and the page that says so. */
export const pages: ReadonlySet<string> = new Set([
  '/',
  '/sign-up',
  '/sign-in',
  '/verify-code',
  '/forget-password',
  '/reset-password',
  '/dashboard',
  '/dashboard/file-management',
  '/dashboard/account-info',
  '/dashboard/plan-info',
  '/dashboard/usage',
  '/dashboard/settings',
  '/dashboard/general',
  '/dashboard/security',
  '/dashboard/change-api',
  '/dashboard/delete-account',
]);
