import type { PolicyPath } from '@holdfast/contract/src/policies.ts';
import type { SiteClaims } from '@holdfast/contract/src/site-claims.ts';
import type { PlanChanges, PlanLevel } from '@holdfast/contract/src/plans.ts';

/** The operator's settings for this installation, which the server writes into the page. */
export interface Site {
  readonly name: string;
  /** The server's version, such as 1.0.0; empty on a development server. */
  readonly version: string;
  readonly contactEmail: string | null;
  readonly contactChatUrl: string | null;
  readonly dmcaAgent: string | null;
  readonly since: number | null;
  /** What the pages claim about the service; null means the standard claims. */
  readonly claims: SiteClaims | null;
  /** Whether there is a pricing page. Without it no page mentions paid plans. */
  readonly pricing: boolean;
  /** The pages whose policies the operator wrote, with their titles; null keeps the standard title. */
  readonly policyTitles: Readonly<Partial<Record<PolicyPath, string | null>>>;
  readonly recaptcha: boolean;
  readonly offers: readonly string[];
  /** Origins that serve files. */
  readonly fileOrigins: readonly string[];
  readonly signUp: 'open' | 'invite' | 'approval' | 'closed';
  readonly planChanges: PlanChanges;
  readonly defaultPlan: PlanLevel;
  readonly sentryDsn: string | null;
  /** True if the request for the page contained a session. It may have ended, so the server must still be asked. */
  readonly mayBeSignedIn: boolean;
}

/** The name of a site whose operator has given it none. */
export const defaultName = 'Holdfast';

/** The development server sends the page unchanged, with a placeholder instead of the settings. */
export function readSite(text: string): Site {
  const facts = parseObject(text);
  return {
    name: textOr(facts['name'], defaultName),
    version: textOr(facts['version'], ''),
    contactEmail: textOr(facts['contactEmail'], null),
    contactChatUrl: textOr(facts['contactChatUrl'], null),
    dmcaAgent: textOr(facts['dmcaAgent'], null),
    since: typeof facts['since'] === 'number' ? facts['since'] : null,
    claims: facts['claims'] ?? null,
    pricing: facts['pricing'] !== false,
    policyTitles: facts['policyTitles'] ?? {},
    recaptcha: facts['recaptcha'] === true,
    offers: textsOf(facts['offers']),
    fileOrigins: textsOf(facts['fileOrigins']),
    signUp: signUps.find((each) => each === facts['signUp']) ?? 'open',
    planChanges: facts['planChanges'] ?? {},
    defaultPlan: textOr(facts['defaultPlan'], 'free') as PlanLevel,
    sentryDsn: textOr(facts['sentryDsn'], null),
    mayBeSignedIn: facts['mayBeSignedIn'] !== false,
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const signUps = ['open', 'invite', 'approval', 'closed'] as const;

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const textOr = <Fallback>(value: unknown, fallback: Fallback) =>
  typeof value === 'string' && value !== '' ? value : fallback;
