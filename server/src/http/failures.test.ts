import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DatabaseReadOnly } from '../storage/db/database.ts';
import { noReports } from '../services/reports/reports.ts';
import { toFailure } from './failures.ts';

const engines = { log: pino({ enabled: false }), reports: noReports };
const request = { url: '/api/v3/rest/delete-files' } as FastifyRequest;

test.each([
  ['SQLite', { errcode: 13 }],
  ['PostgreSQL', { code: '53100' }],
])('a change that the full disk of %s refuses is a 503', (_, how) => {
  const full = Object.assign(new Error('the disk is full'), how);
  expect(toFailure(full, request, engines)).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  expect(toFailure(new Error('another'), request, engines)).toMatchObject({ status: 500 });
});

test('a change during a move is a 503 that says so and when to try again', () => {
  const refused = new DatabaseReadOnly(new Error('refused by a trigger'));
  expect(toFailure(refused, request, engines)).toMatchObject({
    status: 503,
    code: 'UNAVAILABLE',
    message: expect.stringContaining('This site is being moved') as string,
    retryAfterSeconds: 30,
  });
});
