import './styles/main.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onOtherTabs } from './api/other-tabs.ts';
import { queryClient } from './api/query-client.ts';
import { watchForFailures } from './api/report-failure.ts';
import { accountQuery } from './api/session.ts';
import { site } from './lib/site.ts';
import { styleNonce } from './lib/style-nonce.ts';
import { router } from './routes.tsx';

watchForFailures(site.sentryDsn);

// Radix writes a style of its own while a menu is open.
setNonce(styleNonce);

// Asked before anything is drawn: every page waits for the answer. Who came without a session has none to ask about.
if (site.mayBeSignedIn) void queryClient.prefetchQuery(accountQuery);
else queryClient.setQueryData(accountQuery.queryKey, null);
onOtherTabs(() => void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }));

const place = document.getElementById('root');
if (!place) throw new Error('The page has no #root');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
