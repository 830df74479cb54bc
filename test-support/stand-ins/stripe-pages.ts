/** The pages on which a person pays, switches or cancels: plain forms, as a browser needs them. */
import { expireByTime } from './stripe-api.ts';
import { standInPrices, type StandInState } from './stripe-state.ts';

/** A page, or the redirect target of a form. */
export type PageAnswer = { readonly html: string } | { readonly to: string } | null;

export interface PageCall {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The submitted form; null if a page is opened. */
  readonly form: URLSearchParams | null;
}

export function answerPage(state: StandInState, { path, query, form }: PageCall): PageAnswer {
  const [, kind, id = ''] = /^\/(pay|portal)\/(\w+)$/.exec(path) ?? [];
  if (kind === 'pay') return checkoutPage(state, id, form);
  return kind === 'portal' ? portalPage(state, id, query, form) : null;
}

function checkoutPage(state: StandInState, id: string, form: URLSearchParams | null): PageAnswer {
  const session = state.sessions.get(id);
  if (!session) return null;
  if (expireByTime(state, session).status === 'complete') return { to: session.success_url };
  if (session.status !== 'open') return { html: asPage('Checkout', '<p>This checkout has expired.</p>') };
  if (form?.get('do') === 'back') return { to: session.cancel_url };
  if (form?.get('do') === 'pay') {
    state.complete(session);
    return { to: session.success_url };
  }
  const declined = form?.get('do') === 'decline' ? '<p role="alert">Your card was declined.</p>' : '';
  const buttons =
    button('pay', 'Pay and subscribe') + button('decline', 'Pay with a bad card') + button('back', 'Back');
  return { html: asPage('Checkout', `<p>${session.price}</p>${declined}${buttons}`) };
}

function portalPage(
  state: StandInState,
  customer: string,
  query: URLSearchParams,
  form: URLSearchParams | null,
): PageAnswer {
  if (!state.customers.has(customer)) return null;
  const current = [...state.subscriptions.values()].find(
    (each) => each.customer === customer && each.status !== 'canceled',
  );
  const action = form?.get('do') ?? '';
  if (action === 'back') return { to: query.get('back') ?? '/' };
  if (current && action === 'cancel') state.change(current.id, { cancel_at_period_end: true });
  if (current && action === 'renew') state.change(current.id, { cancel_at_period_end: false });
  if (current && action === 'end') state.change(current.id, { status: 'canceled' });
  if (current && action === 'pay') state.change(current.id, { status: 'active' });
  if (current && standInPrices.includes(action)) state.change(current.id, { price: action });
  const switches = standInPrices.map((price) => button(price, `Switch to ${price}`)).join('');
  const others = [button('cancel', 'Cancel plan'), button('renew', 'Renew plan'), button('end', 'End now')].join('');
  const status = current ? `<p>${current.items.data[0]?.price.id ?? ''} ${current.status}</p>` : '<p>Nothing</p>';
  return { html: asPage('Billing', status + switches + others + button('pay', 'Pay') + button('back', 'Return')) };
}

const button = (action: string, label: string): string =>
  `<p><button name="do" value="${action}">${label}</button></p>`;

const asPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><form method="post">${body}</form></html>`;
