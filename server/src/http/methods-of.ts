import type { Call } from '@holdfast/contract/src/calls.ts';

/**
 * HEAD is answered wherever GET is. RFC 9110, section 9.1: "All general-purpose servers MUST support the methods GET and
 * HEAD." The framework makes its route from that of GET.
 */
export const methodsOf = ({ method }: Pick<Call, 'method'>): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];
