import { CircleUser, FolderOpen, Gauge, Upload } from 'lucide-react';

/** Sidebar entries in order; the Settings group follows them. */
export const sidebarNav = [
  { to: '/dashboard', name: 'Upload Files', icon: Upload },
  { to: '/dashboard/file-management', name: 'File Management', icon: FolderOpen },
  { to: '/dashboard/account-info', name: 'Account Info', icon: CircleUser },
  { to: '/dashboard/plan-info', name: 'Plan Info', icon: Gauge },
] as const;

export const settingsNav = [
  { to: '/dashboard/general', name: 'General Settings' },
  { to: '/dashboard/security', name: 'Security' },
  { to: '/dashboard/change-api', name: 'Change API' },
  { to: '/dashboard/delete-account', name: 'Delete Account' },
] as const;

export type SettingsPath = (typeof settingsNav)[number]['to'];

const countsAs: Readonly<Record<string, string>> = {
  '/dashboard/settings': '/dashboard',
  '/dashboard/analytics': '/dashboard',
  '/dashboard/deleted-files': '/dashboard/file-management',
};

export function isCurrent(to: string, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '');
  const counted = path.startsWith('/dashboard/file/') ? '/dashboard/file-management' : (countsAs[path] ?? path);
  return to === counted;
}

export const isSettingsChild = (pathname: string): boolean => settingsNav.some(({ to }) => isCurrent(to, pathname));
