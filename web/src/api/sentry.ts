/** Chunks of their own, this and the recording: loaded only where the operator has named an address for reports. */
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

export function openSentry(dsn: string, recording: ReturnType<typeof recordPage>): (error: unknown) => void {
  init({
    dsn,
    // What is reported comes through `reportFailure` alone, so that nothing is told twice.
    defaultIntegrations: false,
    integrations: [
      linkedErrorsIntegration(),
      dedupeIntegration(),
      breadcrumbsIntegration({ dom: false, fetch: true, xhr: true, history: true }),
      recording,
    ],
    // The last minute is kept in the page, and leaves it only when something fails.
    replaysSessionSampleRate: 0,
    replaysOnErrorSampleRate: 1,
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    sendClientReports: false,
    beforeBreadcrumb: ({ category = '', timestamp = 0, data }) =>
      maskSecretsIn({ category, timestamp, data: placesOf(data) }),
    // Whatever the library adds, nothing leaves the page unmasked.
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

/** Where to and how it ended; never what was sent or came back. */
function placesOf(data: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => told.has(name)));
}
