/** The calls of Stripe's API that the engine makes, as strict about their input as the real ones. */
import { newId, type StandInSession, type StandInState } from './stripe-state.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly body: object;
}

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly params: URLSearchParams;
}

/** `origin` is the origin of the stand-in's pages. */
export function answerApi(state: StandInState, origin: string, call: ApiCall): ApiAnswer {
  for (const { method, path, takes, needs = [], run } of calls) {
    const match = call.method === method ? path.exec(call.path) : null;
    if (!match) continue;
    const unknown = [...call.params.keys()].find((key) => !takes.test(key));
    if (unknown !== undefined)
      return refuse(400, 'parameter_unknown', `Received unknown parameter: ${unknown}`, unknown);
    const missing = needs.find((key) => !call.params.get(key));
    if (missing !== undefined) return refuse(400, 'parameter_missing', `Missing required param: ${missing}.`, missing);
    return run({ state, origin, params: call.params, id: match[1] ?? '' });
  }
  return refuse(404, 'url_invalid', `Unrecognized request URL (${call.method}: ${call.path})`);
}

export function refuse(status: number, code: string, message: string, param?: string): ApiAnswer {
  const type = status === 402 ? 'card_error' : status < 500 ? 'invalid_request_error' : 'api_error';
  return { status, body: { error: { type, code, message, ...(param !== undefined && { param }) } } };
}

interface Asked {
  readonly state: StandInState;
  readonly origin: string;
  readonly params: URLSearchParams;
  readonly id: string;
}

interface KnownCall {
  readonly method: string;
  readonly path: RegExp;
  readonly takes: RegExp;
  readonly needs?: readonly string[];
  readonly run: (asked: Asked) => ApiAnswer;
}

const paging = 'limit|starting_after|ending_before';

const calls: readonly KnownCall[] = [
  {
    method: 'POST',
    path: /^\/v1\/customers$/,
    takes: /^(email|name|metadata\[\w+\])$/,
    run({ state, params }) {
      const customer = {
        id: newId('cus'),
        object: 'customer' as const,
        email: params.get('email') ?? '',
        metadata: metadataOf(params),
        created: state.now(),
      };
      state.customers.set(customer.id, customer);
      return { status: 200, body: customer };
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/customers$/,
    takes: new RegExp(`^(email|${paging})$`),
    run: ({ state, params }) =>
      page(
        params,
        [...state.customers.values()].filter(
          ({ email, deleted }) => !deleted && email === (params.get('email') ?? email),
        ),
      ),
  },
  {
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)$/,
    takes: /^$/,
    run({ state, id }) {
      const customer = state.customers.get(id);
      if (!customer) return noSuch('customer', id, 'id');
      return { status: 200, body: customer.deleted ? { id, object: 'customer', deleted: true } : customer };
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    takes: /^(mode|customer|line_items\[\d\]\[(price|quantity)\]|metadata\[\w+\]|success_url|cancel_url)$/,
    needs: ['mode', 'success_url', 'line_items[0][price]', 'line_items[0][quantity]'],
    run: createSession,
  },
  {
    method: 'GET',
    path: /^\/v1\/checkout\/sessions$/,
    takes: new RegExp(`^(customer|status|${paging})$`),
    run: ({ state, params }) =>
      listOf(
        state,
        params,
        [...state.sessions.values()].map((each) => expireByTime(state, each)),
      ),
  },
  {
    method: 'GET',
    path: /^\/v1\/checkout\/sessions\/(\w+)$/,
    takes: /^$/,
    run({ state, id }) {
      const session = state.sessions.get(id);
      return session ? { status: 200, body: expireByTime(state, session) } : noSuch('checkout.session', id, 'session');
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    takes: /^$/,
    run({ state, id }) {
      const session = state.sessions.get(id);
      if (!session) return noSuch('checkout.session', id, 'session');
      if (session.status !== 'open')
        return refuse(400, 'resource_invalid', 'Only Checkout Sessions with a status in ["open"] can be expired.');
      Object.assign(session, { status: 'expired', url: null });
      state.tell('checkout.session.expired', session);
      return { status: 200, body: session };
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/prices\/(\w+)$/,
    takes: /^$/,
    run({ state, id }) {
      const price = state.prices.get(id);
      return price ? { status: 200, body: price } : noSuch('price', id, 'price');
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/subscriptions$/,
    takes: new RegExp(`^(customer|status|expand\\[0\\]|${paging})$`),
    run({ state, params }) {
      const expand = params.get('expand[0]') === 'data.customer';
      return listOf(state, params, [...state.subscriptions.values()], (each) =>
        expand ? { ...each, customer: state.customers.get(each.customer) } : each,
      );
    },
  },
  {
    method: 'DELETE',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    takes: /^$/,
    run({ state, id }) {
      const subscription = state.subscriptions.get(id);
      if (!subscription || subscription.status === 'canceled') return noSuch('subscription', id, 'id');
      state.change(id, { status: 'canceled' });
      return { status: 200, body: subscription };
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/billing_portal\/sessions$/,
    takes: /^(customer|return_url)$/,
    needs: ['customer'],
    run({ state, origin, params }) {
      const customer = params.get('customer') ?? '';
      if (!isThere(state, customer)) return noSuch('customer', customer, 'customer');
      const back = params.get('return_url') ?? '';
      const url = `${origin}/portal/${customer}?${new URLSearchParams({ back }).toString()}`;
      return {
        status: 200,
        body: { id: newId('bps'), object: 'billing_portal.session', customer, return_url: back, url },
      };
    },
  },
];

function createSession({ state, origin, params }: Asked): ApiAnswer {
  const customer = params.get('customer') ?? '';
  const price = params.get('line_items[0][price]') ?? '';
  if (params.get('mode') !== 'subscription')
    return refuse(400, 'parameter_invalid', 'Another mode is not played here.', 'mode');
  if (!isThere(state, customer)) return noSuch('customer', customer, 'customer');
  const found = state.prices.get(price);
  if (!found) return noSuch('price', price, 'line_items[0][price]');
  if (!found.active) return refuse(400, 'price_inactive', 'The price specified is inactive.', 'line_items[0][price]');
  for (const name of ['success_url', 'cancel_url'])
    if (!URL.canParse(params.get(name) ?? '')) return refuse(400, 'url_invalid', 'Not a valid URL', name);
  const id = newId('cs_test');
  const session: StandInSession = {
    id,
    object: 'checkout.session',
    mode: 'subscription',
    customer,
    metadata: metadataOf(params),
    success_url: params.get('success_url') ?? '',
    cancel_url: params.get('cancel_url') ?? '',
    created: state.now(),
    expires_at: state.now() + 24 * 3600,
    status: 'open',
    url: `${origin}/pay/${id}`,
    subscription: null,
    price,
  };
  state.sessions.set(id, session);
  return { status: 200, body: session };
}

export function expireByTime(state: StandInState, session: StandInSession): StandInSession {
  if (session.status === 'open' && session.expires_at <= state.now())
    Object.assign(session, { status: 'expired', url: null });
  return session;
}

function listOf<T extends { readonly id: string; readonly customer: string; readonly status: string }>(
  state: StandInState,
  params: URLSearchParams,
  all: readonly T[],
  show: (each: T) => object = (each) => each,
): ApiAnswer {
  const customer = params.get('customer');
  const status = params.get('status');
  if (customer !== null && !isThere(state, customer)) return noSuch('customer', customer, 'customer');
  const found = all
    .filter((each) => customer === null || each.customer === customer)
    .filter((each) => (status === null ? each.status !== 'canceled' : status === 'all' || each.status === status));
  const { status: code, body } = page(params, found);
  return 'data' in body
    ? { status: code, body: { ...body, data: (body.data as T[]).map(show) } }
    : { status: code, body };
}

/** Returns one page, newest first, as everywhere in Stripe's API. */
function page(params: URLSearchParams, all: readonly { id: string }[]): ApiAnswer {
  const limit = Number(params.get('limit') ?? 10);
  if (!(limit >= 1 && limit <= 100)) return refuse(400, 'parameter_invalid_integer', 'Invalid limit', 'limit');
  if (params.has('ending_before'))
    return refuse(400, 'parameter_invalid', 'Pages backwards are not played here.', 'ending_before');
  const newest = all.toReversed();
  const after = params.get('starting_after');
  const from = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
  // Simulates an object that was deleted between two pages.
  if (after !== null && from === 0) return noSuch('object', after, 'starting_after');
  const data = newest.slice(from, from + limit);
  return { status: 200, body: { object: 'list', data, has_more: from + limit < newest.length, url: '/v1/list' } };
}

/** Returns whether a customer can be used: Stripe only reports that a deleted one was deleted. */
const isThere = ({ customers }: StandInState, id: string): boolean => customers.has(id) && !customers.get(id)?.deleted;

function metadataOf(params: URLSearchParams): Record<string, string> {
  const pairs = [...params].flatMap(([key, value]) => {
    const [, name] = /^metadata\[(\w+)\]$/.exec(key) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

const noSuch = (what: string, id: string, param: string): ApiAnswer =>
  refuse(what === 'subscription' ? 404 : 400, 'resource_missing', `No such ${what}: '${id}'`, param);
