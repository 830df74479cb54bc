import type { Field } from '@holdfast/contract/src/api-field-reference.ts';
import type { SampleFacts } from '@holdfast/contract/src/api-samples.ts';
import { calls } from '@holdfast/contract/src/calls.ts';
import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';

const asText = (value: object) => JSON.stringify(value, null, 2);

export const success = asText({ success: true, deleted: ['q7Rt2mXa'] });
export const refusal = asText(failureToReply(new Failure('FILE_NOT_FOUND'), false));

export const limitedAnswer = `HTTP/1.1 429 Too Many Requests
RateLimit-Limit: 4
RateLimit-Remaining: 0
RateLimit-Reset: 1
Retry-After: 1
Content-Type: application/json; charset=utf-8

${asText(failureToReply(new Failure('RATE_LIMITED'), false))}`;

const { method, path } = calls.toggleFavorite;
export const requestExample = ({ origin, key }: SampleFacts) => `${method} ${path} HTTP/1.1
Host: ${new URL(origin).host}
X-API-Key: ${key}
Content-Type: application/json

{"file": "q7Rt2mXa"}`;

const header = (name: string, text: string): Field => ({ name, type: 'integer', isRequired: true, text });
export const rateLimitHeaders: readonly Field[] = [
  header('RateLimit-Limit', 'How many calls can be made at once after a pause.'),
  header('RateLimit-Remaining', 'How many of them are left.'),
  header('RateLimit-Reset', 'In how many seconds all of them are back.'),
  header('Retry-After', 'With 429: in how many seconds to try again.'),
];
