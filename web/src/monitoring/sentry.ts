/**
 * This module and the recording are separate chunks, loaded only if the operator has configured an address for reports.
 */
import { maskSecretsIn } from '@holdfast/contract/src/mask-secrets.ts';
import {
  breadcrumbsIntegration,
  captureException,
  dedupeIntegration,
  init,
  linkedErrorsIntegration,
  makeFetchTransport,
} from '@sentry/browser';
import { maskEnvelope } from './mask-envelope.ts';
import type { recordPage } from './sentry-replay.ts';

export function openBrowserSentry(dsn: string, recording: ReturnType<typeof recordPage>): (error: unknown) => void {
  init({
    dsn,
    // All reports come through `reportFailure`, so that nothing is reported twice.
    defaultIntegrations: false,
    integrations: [
      linkedErrorsIntegration(),
      dedupeIntegration(),
      breadcrumbsIntegration({ dom: false, fetch: true, xhr: true, history: true }),
      recording,
    ],
    // The last minute is kept in the page and is sent only after a failure.
    replaysSessionSampleRate: 0,
    replaysOnErrorSampleRate: 1,
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    sendClientReports: false,
    beforeBreadcrumb: ({ category = '', timestamp = 0, data }) =>
      maskSecretsIn({ category, timestamp, data: placesOf(data) }),
    // Whatever the library adds, all text is masked before it leaves the page.
    transport: (options) => {
      const transport = makeFetchTransport(options);
      return {
        send: (envelope) => transport.send(maskEnvelope(envelope)),
        flush: (timeout) => transport.flush(timeout),
      };
    },
  });
  return (error) => void captureException(error, { tags: { page: location.pathname } });
}

const told = new Set(['method', 'url', 'status_code', 'from', 'to']);

/** Keeps the address and the outcome of a call, never what was sent or received. */
function placesOf(data: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => told.has(name)));
}
