import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns whether a page of this origin requests the file as a script, worker or style sheet. If files and the app
 * share an origin, such a file would run as the app, and a service worker would persist. Our own pages never use files
 * this way.
 */
export function isScriptRequest(headers: IncomingHttpHeaders): boolean {
  if (headers['service-worker'] !== undefined) return true;
  return headers['sec-fetch-site'] === 'same-origin' && code.has(String(headers['sec-fetch-dest']));
}

/** Script-like destinations of the Fetch standard, and `style`. */
const code = new Set(['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet']);
