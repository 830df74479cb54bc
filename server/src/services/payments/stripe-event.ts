import { Stripe } from 'stripe';
import * as z from 'zod/mini';
import type { Clock } from '../../lib/clock.ts';
import { minutes } from '../../lib/clock.ts';
import { ForgedEvent, type PaymentEvent } from './payments.ts';

/** Maximum age of a signature. A longer time would let an eavesdropper replay the event later. */
const tolerance = minutes(5);

/** Matches every event that may change what a customer pays for. */
const aboutSubscriptions = /^(customer\.subscription\.|invoice\.|checkout\.session\.|customer\.deleted$)/;

const eventShape = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(255)),
  type: z.string().check(z.maxLength(255)),
  data: z.object({
    object: z.looseObject({
      id: z.optional(z.string()),
      object: z.optional(z.string()),
      customer: z.optional(z.nullable(z.union([z.string(), z.looseObject({ id: z.string() })]))),
    }),
  }),
});

export function readStripeEvent(
  { webhookSecret, clock }: { readonly webhookSecret: string; readonly clock: Pick<Clock, 'now'> },
  body: Buffer,
  signature: string | undefined,
): PaymentEvent {
  try {
    Stripe.webhooks.constructEvent(body, signature ?? '', webhookSecret, tolerance / 1000, undefined, clock.now());
  } catch {
    // The SDK's error contains the body and the header.
    throw new ForgedEvent('its signature is missing, wrong or too old');
  }
  const event = eventShape.safeParse(parse(body));
  if (!event.success) throw new ForgedEvent('its shape is wrong');
  const { id, type, data } = event.data;
  return { id, type, customerId: aboutSubscriptions.test(type) ? customerOf(data.object) : null };
}

function customerOf(object: z.output<typeof eventShape>['data']['object']): string | null {
  if (object.object === 'customer') return object.id ?? null;
  return typeof object.customer === 'object' ? (object.customer?.id ?? null) : (object.customer ?? null);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
