/** Writes past events, such as those of jobs or operators, directly into the database. */
import type { Subscription } from '@holdfast/contract/src/account.ts';
import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Site } from './site.ts';
import type { Person } from './test.ts';

export interface PastEvent {
  readonly event: ActivityEvent;
  readonly name: string;
  readonly originalName: string;
  readonly bytes: number;
  readonly at: Date;
}

/** Records events as if a job or an operator had caused them, oldest first. */
export function recordActivity(site: Site, { email }: Person, events: readonly PastEvent[]): void {
  using database = site.openDatabase();
  const insert = database.prepare(
    `INSERT INTO activity (id, account_id, event, name, original_name, size, happened_at)
     SELECT ?, id, ?, ?, ?, ?, ? FROM accounts WHERE email_key = ?`,
  );
  for (const { event, name, originalName, bytes, at } of events) {
    recorded += 1;
    const id = `0${String(recorded).padStart(25, '0')}`;
    insert.run(id, event, name, originalName, bytes, at.getTime(), email.toLowerCase());
  }
}
let recorded = 0;

/** Records a subscription as if the payment provider had reported it, and puts the account on its plan. */
export function subscribe(site: Site, { email }: Person, subscription: Subscription): void {
  using database = site.openDatabase();
  const { level, period, status, period_ends, ends_with_period } = subscription;
  const at = (moment: string) => new Date(moment).getTime();
  const graceEnds = subscription.grace_ends === null ? null : at(subscription.grace_ends);
  database
    .prepare(
      `INSERT INTO subscriptions (account_id, customer_id, subscription_id, level, period, status, grace_ends_at,
         period_ends_at, ends_with_period, read_at)
       SELECT id, 'cus_' || id, 'sub_' || id, ?, ?, ?, ?, ?, ?, ? FROM accounts WHERE email_key = ?`,
    )
    .run(
      level?.toLowerCase() ?? null,
      period,
      status,
      graceEnds,
      at(period_ends),
      ends_with_period ? 1 : 0,
      Date.now(),
      email.toLowerCase(),
    );
  site.putOnPlan(email, (level?.toLowerCase() ?? 'free') as PlanLevel);
}

/** Sets a plan as if the operator had granted it. */
export function grant(site: Site, { email }: Person, level: PlanLevel): void {
  using database = site.openDatabase();
  database.prepare('UPDATE accounts SET granted_level = ? WHERE email_key = ?').run(level, email.toLowerCase());
  site.putOnPlan(email, level);
}
