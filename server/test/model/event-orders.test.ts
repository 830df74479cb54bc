import { test } from 'vitest';
import { playEventOrders } from '../harness/event-orders.ts';

// PostgreSQL differs only in how concurrent transactions conflict, which other tests cover.
const every = process.env['TEST_DATABASE'] === 'postgres' ? 6 : 1;

test(
  'all 720 orders of six events end in the same plan, whatever the state of the provider',
  { timeout: 300_000 },
  () => playEventOrders(every),
);
