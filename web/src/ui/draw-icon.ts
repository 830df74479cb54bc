import { createElement, type SVGProps } from 'react';

/** An icon as the files of the library describe it. */
interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/**
 * Stands in for the library's `createLucideIcon` (vite.config.ts), which builds all attributes of an icon anew each time it
 * is drawn, for options that nothing here uses; a long list draws a thousand of them.
 */
export function drawIcon({ node }: IconData) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return (props: SVGProps<SVGSVGElement>) => createElement('svg', { ...look, ...props }, shapes);
}

const look = {
  'aria-hidden': true,
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
