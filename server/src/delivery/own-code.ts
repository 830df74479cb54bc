import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of this very origin wants the file as code: a script, a worker, a style sheet. Where files and the app
 * share an origin, such a file would act as the app, and a service worker would stay. Our pages never ask for that.
 */
export function isWantedAsOwnCode(headers: IncomingHttpHeaders): boolean {
  if (headers['service-worker'] !== undefined) return true;
  return headers['sec-fetch-site'] === 'same-origin' && code.has(String(headers['sec-fetch-dest']));
}

/** Destinations of the Fetch standard that are script-like, and `style`. */
const code = new Set(['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet']);
