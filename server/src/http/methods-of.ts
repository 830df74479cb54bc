import type { Call } from '@holdfast/contract/src/calls.ts';

/**
 * Every GET route also serves HEAD. RFC 9110, section 9.1: "All general-purpose servers MUST support the methods GET
 * and HEAD." The framework derives the HEAD route from that of GET.
 */
export const methodsOf = ({ method }: Pick<Call, 'method'>): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];
