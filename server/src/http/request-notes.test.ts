import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createRequestNotes } from './request-notes.ts';

const newRequest = () => ({ raw: {} }) as FastifyRequest;

test('a note of a request is read for a second, and of no other request', () => {
  let now = 0;
  const notes = createRequestNotes<string>({ monotonic: () => now });
  const [one, other] = [newRequest(), newRequest()];
  notes.add(one, 'a session');
  now = 999;
  expect([notes.read(one), notes.read(other)]).toEqual(['a session', undefined]);
  now = 1_000;
  expect(notes.read(one)).toBeUndefined();
});
