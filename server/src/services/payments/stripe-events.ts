import { Stripe } from 'stripe';
import * as z from 'zod/mini';
import type { StripeConfig } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import { ForgedEvent, type PaymentEvent, signatureIsValidFor } from './payments.ts';

const aboutSubscriptions = /^(customer\.subscription\.|invoice\.|checkout\.session\.|customer\.deleted$)/;

const eventShape = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(255)),
  type: z.string().check(z.maxLength(255)),
  created: z.optional(z.number()),
  data: z.object({
    object: z.looseObject({
      id: z.optional(z.string()),
      object: z.optional(z.string()),
      amount_paid: z.optional(z.number()),
      customer: z.optional(z.nullable(z.union([z.string(), z.looseObject({ id: z.string() })]))),
    }),
  }),
});

interface Signing extends Pick<StripeConfig, 'webhookSecret'> {
  readonly clock: Pick<Clock, 'now'>;
}

export function readEvent({ webhookSecret, clock }: Signing, body: Buffer, signature = ''): PaymentEvent {
  const event = eventShape.safeParse(signedBody(body, signature, webhookSecret, clock.now()));
  if (!event.success) throw new ForgedEvent('its shape is wrong');
  const { id, type, created, data } = event.data;
  const { id: invoice, amount_paid: amount } = data.object;
  const isPayment = type === 'invoice.paid' && amount !== 0;
  return {
    id,
    type,
    customerId: aboutSubscriptions.test(type) ? customerOf(data.object) : null,
    paid: isPayment && invoice !== undefined && created !== undefined ? { invoice, at: created * 1000 } : null,
  };
}

function signedBody(body: Buffer, signature: string, secret: string, now: number): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret, signatureIsValidFor / 1000, undefined, now);
  } catch {
    // The SDK's error contains the body and the header.
    throw new ForgedEvent('it is not JSON, or its signature is missing, wrong or too old');
  }
}

function customerOf(object: z.output<typeof eventShape>['data']['object']): string | null {
  if (object.object === 'customer') return object.id ?? null;
  return typeof object.customer === 'object' ? (object.customer?.id ?? null) : (object.customer ?? null);
}
