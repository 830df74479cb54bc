import { errorCatalog } from '@holdfast/contract/src/errors.ts';
import { unavailableFor } from '../http/failures.ts';
import { fileHostRobotsText } from './robots.ts';
import { type FileResponse, textResponse, withHeader } from './file-response.ts';

type Text = (method: string) => FileResponse;

const text =
  (status: number, sentence: string): Text =>
  (method) =>
    textResponse(method, status, sentence);

const tryLater =
  (sentence: string, seconds: number): Text =>
  (method) =>
    withHeader(textResponse(method, 503, sentence), 'Retry-After', String(seconds));

export const noSuchFile = text(404, 'There is no such file.');
export const scriptUseRefused = text(403, 'Files cannot be used as scripts of this site.');
export const noCrawlers = text(200, fileHostRobotsText.trimEnd());
export const unreadable = text(
  500,
  'The file cannot be read at the moment. Its owner or the operator of this site can help.',
);
export const beingChecked = tryLater('This file is being checked for malware. Try again in a moment.', 15);
export const beingHashed = tryLater('The SHA-1 of this file is being computed. Try again in a moment.', 10);
export const serviceUnavailable = tryLater(errorCatalog.UNAVAILABLE.message, unavailableFor);

export const tooManyMissed = (method: string, retryAfterSeconds: number): FileResponse =>
  withHeader(
    textResponse(method, 429, 'Too many links that do not exist. Slow down and try again.'),
    'Retry-After',
    String(retryAfterSeconds),
  );
