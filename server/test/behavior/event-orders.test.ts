import { test } from 'vitest';
import { playEventOrders } from '../harness/event-orders.ts';

// `server/test/model` tries all of them.
test(
  '66 of the 720 orders of six events end in the same plan, whatever the state of the provider',
  { timeout: 120_000 },
  () => playEventOrders(11),
);
