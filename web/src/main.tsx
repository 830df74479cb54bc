import './styles/main.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { hearOtherTabs } from './api/session/other-tabs.ts';
import { queryClient } from './api/client/query-client.ts';
import { watchForFailures } from './monitoring/report-failure.ts';
import { accountQuery } from './api/account/account.ts';
import { takeLinkSecret } from './lib/link-secret.ts';
import { site, styleNonce } from './lib/site.ts';
import { router } from './routes.tsx';

// First, so that no other code sees the address with it.
takeLinkSecret(router.history);
window.addEventListener('hashchange', () => takeLinkSecret(router.history));
watchForFailures(site.sentryDsn);

// Radix adds a style element while a menu is open, and the library of toasts adds one for its animations.
setNonce(styleNonce);
Object.assign(window, { __nonce__: styleNonce });

// Fetched before the first render, because every page waits for the account. Without a session there is nothing to
// fetch.
if (site.mayBeSignedIn) void queryClient.prefetchQuery(accountQuery);
else queryClient.setQueryData(accountQuery.queryKey, null);
hearOtherTabs(queryClient);

const place = document.getElementById('root');
if (!place) throw new Error('The page has no #root');
const root = createRoot(place);
const draw = () =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
// Until the first page has loaded, the router would draw nothing over the screen that the document came with.
void router.load().finally(draw);
