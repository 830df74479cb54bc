import type { Offer, PlanChanges, PlanLevel, Plans } from '@holdfast/contract/src/plans.ts';
import type { SiteClaims } from '@holdfast/contract/src/site-claims.ts';

/** The settings of this service, with one union per engine. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Number of processes that serve the port behind one parent; null means one process without a parent. */
  readonly workers: number | null;
  readonly dataDir: string;
  /** Null while unset: any Host is served then, and links use `http://localhost:$PORT`. */
  readonly publicUrl: string | null;
  /** Origins that serve `/file/…`, the default first. Empty while unset, which means the public URL. */
  readonly fileOrigins: readonly string[];
  readonly database:
    | { readonly engine: 'sqlite'; readonly path: string }
    | { readonly engine: 'postgres'; readonly url: string };
  /** A node that serves only public links, and reads them from a replica; null for a whole server. */
  readonly filesOnly: { readonly readUrl: string } | null;
  readonly blobs:
    | { readonly engine: 'disk'; readonly folder: string }
    | {
        readonly engine: 's3';
        readonly bucket: string;
        /** Empty, or the start of all keys, which ends with a slash. */
        readonly prefix: string;
        /** Null for AWS itself. */
        readonly endpoint: string | null;
        readonly region: string;
      };
  /** Space of the storage that uploads must leave free: the smaller of both. */
  readonly minFreeSpace: { readonly bytes: number; readonly percent: number };
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
  /** Whether downloads without a speed limit are sent to the S3 store. */
  readonly redirects: boolean;
  /** Bytes of each file that each client of a preview bot gets in an hour without regard to the plan's speed. */
  readonly previewBurst: number;
  /** The private port with `/livez`, `/readyz` and `/metrics`; null means none. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Time between SIGTERM and the moment when the server accepts no more connections. */
  readonly shutdownDelayMs: number;
  /** The name of this node in the log, in metrics and on the page Speed Test; null while unset. */
  readonly region: string | null;
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
  /** The changes to the plans in PLANS_FILE; none while unset. */
  readonly planChanges: PlanChanges;
  /** The limits and prices of each plan, with those changes. */
  readonly plans: Plans;
  /** Who may sign up: everybody, those with an invitation, everybody whom an operator approves, or nobody. */
  readonly signUp: 'open' | 'invite' | 'approval' | 'closed';
  /** Domains of the email addresses that may sign up, in lower case; empty for all. */
  readonly allowedEmailDomains: readonly string[];
  /** The plan of a new account. */
  readonly defaultPlan: PlanLevel;
  readonly site: {
    readonly name: string;
    readonly contactEmail: string | null;
    readonly contactChatUrl: string | null;
    /** The agent for copyright notices: a name and contact details, as text of one or more lines. */
    readonly dmcaAgent: string | null;
    /** The year in which the service began, or null if the pages state none of the operator's. */
    readonly since: number | null;
    /** What the pages claim about the service; null means the standard claims. */
    readonly claims: SiteClaims | null;
    /** Whether there is a pricing page. Without it no page mentions paid plans, and nothing is for sale. */
    readonly pricing: boolean;
    /** Folder of the operator's policies in Markdown; null means the standard texts. */
    readonly policiesDir: string | null;
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
