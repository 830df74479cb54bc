/** All routes of the app. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Outlet,
  parseSearchWith,
  type SearchSchemaInput,
  stringifySearchWith,
  stripSearchParams,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { reportFailure } from './monitoring/report-failure.ts';
import { useAccount } from './api/account/account.ts';
import { GuestsOnly, SessionCheckScreen, SignedInOnly, WhenSessionIsKnown } from './layouts/session-gates.tsx';
import { LoadAtNextPage } from './layouts/LoadAtNextPage.tsx';
import { PageProgress } from './layouts/PageProgress.tsx';
import { PublicLayout } from './layouts/PublicLayout.tsx';
import { useFocusNewPage } from './layouts/use-focus-new-page.ts';
import { lazyPage } from './lib/lazy-page.ts';
import { site } from './lib/site.ts';
import {
  type FileListSearch,
  fileListDefaults,
  firstPage,
  type ActivitySearch,
  readFileListSearch,
  readActivitySearch,
  readPaidSearch,
  readReturnSearch,
  type ReturnSearch,
} from './lib/search-params.ts';
import { BrokenPage, CrashPage } from './pages/crash/BrokenPage.tsx';
import type { UploadsEverywhereProps } from './pages/dashboard/upload-files/UploadsEverywhere.tsx';
import { ToastRegion } from './ui/ToastRegion.tsx';

const NotFoundPage = lazyPage(async () => (await import('./pages/not-found/NotFoundPage.tsx')).NotFoundPage);
const HomePage = lazyPage(async () => (await import('./pages/home/HomePage.tsx')).HomePage);
const SpeedTestPage = lazyPage(async () => (await import('./pages/speed-test/SpeedTestPage.tsx')).SpeedTestPage);
const PlanPricingPage = lazyPage(
  async () => (await import('./pages/plan-pricing/PlanPricingPage.tsx')).PlanPricingPage,
);
const AboutUsPage = lazyPage(async () => (await import('./pages/about-us/AboutUsPage.tsx')).AboutUsPage);
const FaqsPage = lazyPage(async () => (await import('./pages/faqs/FaqsPage.tsx')).FaqsPage);
const TermsOfServicePage = lazyPage(
  async () => (await import('./pages/terms-of-service/TermsOfServicePage.tsx')).TermsOfServicePage,
);
const PrivacyPolicyPage = lazyPage(
  async () => (await import('./pages/privacy-policy/PrivacyPolicyPage.tsx')).PrivacyPolicyPage,
);
const DmcaPolicyPage = lazyPage(async () => (await import('./pages/dmca-policy/DmcaPolicyPage.tsx')).DmcaPolicyPage);
const ApiDocsPage = lazyPage(async () => (await import('./pages/api-docs/ApiDocsPage.tsx')).ApiDocsPage);
const SignInPage = lazyPage(async () => (await import('./pages/sign-in/SignInPage.tsx')).SignInPage);
const SignUpPage = lazyPage(async () => (await import('./pages/sign-up/SignUpPage.tsx')).SignUpPage);
const VerifyCodePage = lazyPage(async () => (await import('./pages/verify-code/VerifyCodePage.tsx')).VerifyCodePage);
const ForgetPasswordPage = lazyPage(
  async () => (await import('./pages/forget-password/ForgetPasswordPage.tsx')).ForgetPasswordPage,
);
const ResetPasswordPage = lazyPage(
  async () => (await import('./pages/reset-password/ResetPasswordPage.tsx')).ResetPasswordPage,
);

const uploadsEverywhere = () => import('./pages/dashboard/upload-files/UploadsEverywhere.tsx');
// Public pages work without it.
const UploadsEverywhere = lazyPage<UploadsEverywhereProps>(() =>
  uploadsEverywhere().then(
    (code) => code.UploadsEverywhere,
    () => LoadAtNextPage,
  ),
);
const DashboardLayout = lazyPage(async () => {
  // If this fails, the dashboard offers to load everything again, which stops no uploads yet.
  const [{ DashboardLayout: layout }] = await Promise.all([
    import('./layouts/dashboard/DashboardLayout.tsx'),
    uploadsEverywhere(),
  ]);
  return layout;
});
const UploadFilesPage = lazyPage(
  async () => (await import('./pages/dashboard/upload-files/UploadFilesPage.tsx')).UploadFilesPage,
);
const FileManagementPage = lazyPage(
  async () => (await import('./pages/dashboard/file-management/FileManagementPage.tsx')).FileManagementPage,
);
const FilePage = lazyPage(async () => (await import('./pages/dashboard/file/FilePage.tsx')).FilePage);
/** The small pages of the dashboard are one script. */
const accountPages = () => import('./pages/dashboard/account-pages.ts');
const AccountInfoPage = lazyPage(async () => (await accountPages()).AccountInfoPage);
const DeletedFilesPage = lazyPage(async () => (await accountPages()).DeletedFilesPage);
const PlanInfoPage = lazyPage(async () => (await accountPages()).PlanInfoPage);
const UsagePage = lazyPage(async () => (await accountPages()).UsagePage);
const GeneralSettingsPage = lazyPage(
  async () => (await import('./pages/dashboard/general/GeneralSettingsPage.tsx')).GeneralSettingsPage,
);
const SettingsPage = lazyPage(async () => (await accountPages()).SettingsPage);
const SecurityPage = lazyPage(async () => (await accountPages()).SecurityPage);
const ChangeApiPage = lazyPage(async () => (await accountPages()).ChangeApiPage);
const DeleteAccountPage = lazyPage(async () => (await accountPages()).DeleteAccountPage);

const root = createRootRoute({ component: Root, errorComponent: CrashPage });

const open = createRoute({ getParentRoute: () => root, id: 'open', component: Open });
const openPage = <Path extends string>(path: Path, component: typeof HomePage = NotFoundPage) =>
  createRoute({ getParentRoute: () => open, path, component, errorComponent: BrokenPage });

const guests = createRoute({ getParentRoute: () => open, id: 'guests', component: Guests });
const guestPage = <Path extends string>(path: Path, component: typeof HomePage = NotFoundPage) =>
  createRoute({ getParentRoute: () => guests, path, component, errorComponent: BrokenPage });

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  component: Dashboard,
  // For errors of the shell itself; errors inside it are handled by the page's own boundary.
  errorComponent: BrokenInPublic,
  // Loaded together with the page, so that the heading exists when it takes the focus.
  loader: () => Promise.all([DashboardLayout.preload(), UploadsEverywhere.preload()]),
});
const dashboardPage = <Path extends string>(path: Path, component: typeof HomePage = NotFoundPage) =>
  createRoute({ getParentRoute: () => dashboard, path, component, errorComponent: BrokenPage });

const file = createRoute({
  getParentRoute: () => dashboard,
  path: '/file/$name',
  component: FilePage,
  errorComponent: BrokenPage,
});

const fileManagement = createRoute({
  getParentRoute: () => dashboard,
  path: '/file-management',
  validateSearch: (search: Partial<FileListSearch> & SearchSchemaInput) => readFileListSearch({ ...search }),
  search: { middlewares: [stripSearchParams(fileListDefaults)] },
  component: FileManagementPage,
  errorComponent: BrokenPage,
});

const usage = createRoute({
  getParentRoute: () => dashboard,
  path: '/usage',
  validateSearch: (search: Partial<ActivitySearch> & SearchSchemaInput) => readActivitySearch({ ...search }),
  search: { middlewares: [stripSearchParams(firstPage)] },
  component: UsagePage,
  errorComponent: BrokenPage,
});

const planInfo = createRoute({
  getParentRoute: () => dashboard,
  path: '/plan-info',
  validateSearch: (search: ReturnSearch & SearchSchemaInput) => readPaidSearch({ ...search }),
  component: PlanInfoPage,
  errorComponent: BrokenPage,
});

const planPricing = createRoute({
  getParentRoute: () => open,
  path: '/plan-pricing',
  validateSearch: (search: ReturnSearch & SearchSchemaInput) => readReturnSearch({ ...search }),
  component: site.pricing ? PlanPricingPage : NotFoundPage,
  errorComponent: BrokenPage,
});

/** Without the navigation bar and the footer: the docs have a bar of their own. */
const apiDocs = createRoute({
  getParentRoute: () => root,
  path: '/api-docs',
  component: ApiDocsPage,
  errorComponent: BrokenInPublic,
});

const tree = root.addChildren([
  apiDocs,
  open.addChildren([
    openPage('/', HomePage),
    openPage('/about-us', AboutUsPage),
    openPage('/speed-test', SpeedTestPage),
    planPricing,
    openPage('/faqs', FaqsPage),
    openPage('/terms-of-service', TermsOfServicePage),
    openPage('/privacy-policy', PrivacyPolicyPage),
    openPage('/dmca-policy', DmcaPolicyPage),
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
    file,
    dashboardPage('/deleted-files', DeletedFilesPage),
    dashboardPage('/account-info', AccountInfoPage),
    planInfo,
    usage,
    dashboardPage('/general', GeneralSettingsPage),
    dashboardPage('/security', SecurityPage),
    dashboardPage('/change-api', ChangeApiPage),
    dashboardPage('/delete-account', DeleteAccountPage),
    dashboardPage('/settings', SettingsPage),
    dashboardPage('$'),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  trailingSlash: 'never',
  parseSearch: parseSearchWith(readQuoted),
  stringifySearch: stringifySearchWith(JSON.stringify, readQuoted),
  // Reports a page that breaks, whichever screen replaces it.
  defaultOnCatch: reportFailure,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Only a quoted value is JSON: a search for '1e3' must not become a search for 1000. */
function readQuoted(value: string): unknown {
  if (!value.startsWith('"')) throw new Error('not quoted');
  return JSON.parse(value);
}

function Root() {
  useFocusNewPage();
  const { data: account } = useAccount();
  return (
    <>
      <WhenSessionIsKnown>
        <PageProgress />
        <Outlet />
      </WhenSessionIsKnown>
      <Suspense>
        {/* A question to one account must not be left for the next. */}
        {account && <UploadsEverywhere key={account.info.email} onQueue={loadDashboardPages} />}
      </Suspense>
      <ToastRegion />
    </>
  );
}

/** Preloads the dashboard pages. While files are queued or uploading, navigation then never waits for a connection. */
function loadDashboardPages(): void {
  for (const page of [AccountInfoPage, FileManagementPage, GeneralSettingsPage]) void page.preload();
}

function Open() {
  return (
    <PublicLayout>
      <Outlet />
    </PublicLayout>
  );
}

function BrokenInPublic(props: ErrorComponentProps) {
  return (
    <PublicLayout>
      <BrokenPage {...props} />
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
      <Suspense fallback={<SessionCheckScreen />}>
        <DashboardLayout>
          <Outlet />
        </DashboardLayout>
      </Suspense>
    </SignedInOnly>
  );
}
