import { apiReference, type CallReference } from '@holdfast/contract/src/api-docs/reference.ts';

export interface SectionName {
  readonly anchor: string;
  readonly name: string;
  readonly method?: CallReference['method'];
}

/** The anchors in order. External links may use them. */
export const guides = [
  { anchor: 'getting-started', name: 'Getting started' },
  { anchor: 'rate-limits', name: 'Rate limits' },
  { anchor: 'api-requests', name: 'API requests' },
  { anchor: 'api-responses', name: 'API responses' },
  { anchor: 'authentication', name: 'Authentication' },
] as const satisfies readonly SectionName[];

export const endpointSections: readonly SectionName[] = apiReference.map(({ anchor, title, method }) => ({
  anchor,
  name: title,
  method,
}));

export const sections: readonly SectionName[] = [...guides, ...endpointSections];
