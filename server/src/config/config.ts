import type { Offer } from '@holdfast/contract/src/plans.ts';

/** The settings of this service, with one union per engine. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Null while unset: any Host is served then, and links use `http://localhost:$PORT`. */
  readonly publicUrl: string | null;
  /** Origins that serve `/file/…`, the default first. Empty while unset, which means the public URL. */
  readonly fileOrigins: readonly string[];
  readonly database:
    | { readonly engine: 'sqlite'; readonly path: string }
    | { readonly engine: 'postgres'; readonly url: string };
  readonly blobs: { readonly engine: 'disk'; readonly folder: string };
  readonly mail:
    | { readonly engine: 'outbox'; readonly folder: string }
    | {
        readonly engine: 'smtp';
        readonly host: string;
        readonly port: number;
        /** TLS from the first byte. */
        readonly secure: boolean;
        readonly credentials: { readonly user: string; readonly password: string } | null;
      };
  /** Treatment of the files of inactive accounts. Null while unset: they are deleted if warnings can be delivered. */
  readonly dormantAccounts: 'keep' | 'delete' | null;
  readonly captcha:
    | { readonly engine: 'none' }
    | { readonly engine: 'altcha'; readonly difficulty: number }
    | {
        readonly engine: 'recaptcha';
        readonly siteKey: string;
        readonly secret: string;
        readonly minScore: number;
        /** The hostname that tokens must be issued for: the public URL's. */
        readonly hostname: string;
      };
  /** Null while unset: the key is generated on first start and kept in the data folder. */
  readonly secretKey: string | null;
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  /** The proxy that sends the bytes of downloads; null means this process. */
  readonly accel: 'nginx' | null;
  /** Capacity of the uplink, or null if downloads are not scheduled. */
  readonly egressMbps: number | null;
  /** The private port with `/livez`, `/readyz` and `/metrics`; null means none. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Time between SIGTERM and the moment when the server accepts no more connections. */
  readonly shutdownDelayMs: number;
  readonly region: string;
  /** Destination of reports of unexpected failures, besides the log. */
  readonly reports:
    | { readonly engine: 'none' }
    | {
        readonly engine: 'sentry';
        readonly dsn: string;
        /** The origin that browsers send their own reports to. */
        readonly origin: string;
      };
  /** Malware scanner for uploads. */
  readonly scanner:
    | { readonly engine: 'none' }
    | {
        readonly engine: 'clamd';
        readonly at: { readonly host: string; readonly port: number } | { readonly path: string };
      };
  /** Payment provider for plans; with none, nothing is for sale. */
  readonly payments: { readonly engine: 'none' } | StripeConfig;
  readonly site: {
    readonly name: string;
    readonly contactEmail: string | null;
    readonly contactChatUrl: string | null;
    /** The agent for copyright notices: a name and contact details, as text of one or more lines. */
    readonly dmcaAgent: string | null;
  };
}

export interface StripeConfig {
  readonly engine: 'stripe';
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** In the order given. The first price of an offer is the one sold; subscriptions to the others still count. */
  readonly prices: readonly { readonly id: string; readonly offer: Offer }[];
  /** Origin of the provider's API. */
  readonly apiUrl: string;
}
