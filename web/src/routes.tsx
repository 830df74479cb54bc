/** The whole URL space. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type SearchSchemaInput,
  stripSearchParams,
  useLocation,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { Checking } from './layouts/Checking.tsx';
import { PublicLayout } from './layouts/PublicLayout.tsx';
import { GuestsOnly, SignedInOnly, WhenSessionIsKnown } from './layouts/session-gates.tsx';
import { useArrival } from './layouts/use-arrival.ts';
import { type FileListSearch, fileListDefaults, readFileListSearch } from './lib/file-list-search.ts';
import { BrokenPage } from './pages/crash/BrokenPage.tsx';
import { CrashPage } from './pages/crash/CrashPage.tsx';
import { UploadsEverywhere } from './pages/dashboard/upload-files/UploadsEverywhere.tsx';
import { Toaster } from './ui/Toaster.tsx';

const NotFoundPage = lazyRouteComponent(() => import('./pages/not-found/NotFoundPage.tsx'), 'NotFoundPage');
const HomePage = lazyRouteComponent(() => import('./pages/home/HomePage.tsx'), 'HomePage');
const SignInPage = lazyRouteComponent(() => import('./pages/sign-in/SignInPage.tsx'), 'SignInPage');
const SignUpPage = lazyRouteComponent(() => import('./pages/sign-up/SignUpPage.tsx'), 'SignUpPage');
const VerifyCodePage = lazyRouteComponent(() => import('./pages/verify-code/VerifyCodePage.tsx'), 'VerifyCodePage');
const ForgetPasswordPage = lazyRouteComponent(
  () => import('./pages/forget-password/ForgetPasswordPage.tsx'),
  'ForgetPasswordPage',
);
const ResetPasswordPage = lazyRouteComponent(
  () => import('./pages/reset-password/ResetPasswordPage.tsx'),
  'ResetPasswordPage',
);

const DashboardLayout = lazyRouteComponent(() => import('./layouts/dashboard/DashboardLayout.tsx'), 'DashboardLayout');
const UploadFilesPage = lazyRouteComponent(
  () => import('./pages/dashboard/upload-files/UploadFilesPage.tsx'),
  'UploadFilesPage',
);
const FileManagementPage = lazyRouteComponent(
  () => import('./pages/dashboard/file-management/FileManagementPage.tsx'),
  'FileManagementPage',
);
const AccountInfoPage = lazyRouteComponent(
  () => import('./pages/dashboard/account-info/AccountInfoPage.tsx'),
  'AccountInfoPage',
);
const PlanInfoPage = lazyRouteComponent(() => import('./pages/dashboard/plan-info/PlanInfoPage.tsx'), 'PlanInfoPage');
const UsagePage = lazyRouteComponent(() => import('./pages/dashboard/usage/UsagePage.tsx'), 'UsagePage');
const GeneralSettingsPage = lazyRouteComponent(
  () => import('./pages/dashboard/general/GeneralSettingsPage.tsx'),
  'GeneralSettingsPage',
);
const SettingsPage = lazyRouteComponent(() => import('./pages/dashboard/settings/SettingsPage.tsx'), 'SettingsPage');
const SecurityPage = lazyRouteComponent(() => import('./pages/dashboard/security/SecurityPage.tsx'), 'SecurityPage');
const ChangeApiPage = lazyRouteComponent(
  () => import('./pages/dashboard/change-api/ChangeApiPage.tsx'),
  'ChangeApiPage',
);
const DeleteAccountPage = lazyRouteComponent(
  () => import('./pages/dashboard/delete-account/DeleteAccountPage.tsx'),
  'DeleteAccountPage',
);

const root = createRootRoute({ component: Root, errorComponent: CrashPage });

const open = createRoute({ getParentRoute: () => root, id: 'open', component: Open });
const openPage = <Path extends string>(path: Path, component: typeof HomePage = NotFoundPage) =>
  createRoute({ getParentRoute: () => open, path, component });

const guests = createRoute({ getParentRoute: () => open, id: 'guests', component: Guests });
const guestPage = <Path extends string>(path: Path, component: typeof HomePage = NotFoundPage) =>
  createRoute({ getParentRoute: () => guests, path, component });

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  component: Dashboard,
  // With the page, not after it: the focus goes to a heading that is there.
  loader: () => DashboardLayout.preload?.(),
});
const dashboardPage = <Path extends string>(path: Path, component: typeof HomePage = NotFoundPage) =>
  createRoute({ getParentRoute: () => dashboard, path, component, errorComponent: BrokenPage });

const fileManagement = createRoute({
  getParentRoute: () => dashboard,
  path: '/file-management',
  validateSearch: (search: Partial<FileListSearch> & SearchSchemaInput) => readFileListSearch({ ...search }),
  search: { middlewares: [stripSearchParams(fileListDefaults)] },
  component: FileManagementPage,
  errorComponent: BrokenPage,
});

const tree = root.addChildren([
  open.addChildren([
    openPage('/', HomePage),
    openPage('/about-us'),
    openPage('/speed-test'),
    openPage('/plan-pricing'),
    openPage('/api-docs'),
    openPage('/faqs'),
    openPage('/terms-of-service'),
    openPage('/privacy-policy'),
    openPage('/dmca-policy'),
    guests.addChildren([
      guestPage('/sign-in', SignInPage),
      guestPage('/sign-up', SignUpPage),
      guestPage('/verify-code', VerifyCodePage),
      guestPage('/forget-password', ForgetPasswordPage),
      guestPage('/reset-password', ResetPasswordPage),
    ]),
    openPage('$'),
  ]),
  dashboard.addChildren([
    dashboardPage('/', UploadFilesPage),
    fileManagement,
    dashboardPage('/account-info', AccountInfoPage),
    dashboardPage('/plan-info', PlanInfoPage),
    dashboardPage('/usage', UsagePage),
    dashboardPage('/general', GeneralSettingsPage),
    dashboardPage('/security', SecurityPage),
    dashboardPage('/change-api', ChangeApiPage),
    dashboardPage('/delete-account', DeleteAccountPage),
    dashboardPage('/settings', SettingsPage),
    dashboardPage('$'),
  ]),
]);

export const router = createRouter({ routeTree: tree, defaultPreload: 'intent', trailingSlash: 'never' });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function Root() {
  useArrival();
  const inDashboard = useLocation({ select: ({ pathname }) => pathname.startsWith('/dashboard') });
  return (
    <>
      <WhenSessionIsKnown>
        <Outlet />
      </WhenSessionIsKnown>
      <UploadsEverywhere />
      <Toaster inHeader={inDashboard} />
    </>
  );
}

function Open() {
  return (
    <PublicLayout>
      <Outlet />
    </PublicLayout>
  );
}

function Guests() {
  return (
    <GuestsOnly>
      <Outlet />
    </GuestsOnly>
  );
}

function Dashboard() {
  return (
    <SignedInOnly>
      <Suspense fallback={<Checking />}>
        <DashboardLayout>
          <Outlet />
        </DashboardLayout>
      </Suspense>
    </SignedInOnly>
  );
}
