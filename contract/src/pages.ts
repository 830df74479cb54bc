/** The page of a file is below this path, under the file's stored name. */
export const filePagesPath = '/dashboard/file';
export const isFilePage = (path: string): boolean => /^\/dashboard\/file\/[0-9A-Za-z]{4,64}$/.test(path);

export const pages: ReadonlySet<string> = new Set([
  '/',
  '/about-us',
  '/faqs',
  '/terms-of-service',
  '/privacy-policy',
  '/dmca-policy',
  '/speed-test',
  '/plan-pricing',
  '/api-docs',
  '/sign-up',
  '/sign-in',
  '/verify-code',
  '/forget-password',
  '/reset-password',
  '/dashboard',
  '/dashboard/file-management',
  '/dashboard/deleted-files',
  '/dashboard/account-info',
  '/dashboard/plan-info',
  '/dashboard/usage',
  '/dashboard/settings',
  '/dashboard/general',
  '/dashboard/security',
  '/dashboard/change-api',
  '/dashboard/delete-account',
]);
