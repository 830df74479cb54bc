import { chartSize, placeSoundings, pointOf, ringCount } from '@holdfast/contract/src/contours.ts';

/** The contours of the web app for a page without scripts. The inner rings would lie behind its words. */
export function drawChart(): string {
  const rings = Array.from({ length: ringCount - 3 }, (_, index) => index + 3);
  const pathOf = (isHeavy: boolean) =>
    `<path d="${rings
      .filter((ring) => (ring % 4 === 0) === isHeavy)
      .map(drawRing)
      .join('')}" stroke-width="${isHeavy ? 3 : 1.8}" opacity="${isHeavy ? 0.3 : 0.2}"/>`;
  const depths = placeSoundings().map(({ x, y, depth }) => `<text x="${scaled(x)}" y="${scaled(y)}">${depth}</text>`);
  return `<svg class="chart" viewBox="0 0 ${scaled(chartSize.width)} ${scaled(chartSize.height)}" aria-hidden="true"><g fill="none" stroke="currentColor">${pathOf(true)}${pathOf(false)}</g><g fill="currentColor" font-size="18" text-anchor="middle">${depths.join('')}</g></svg>`;
}

const steps = 96;

/** Whole numbers are short, and at this size exact enough. */
const scaled = (length: number) => Math.round(length * 2);

function drawRing(ring: number): string {
  const points = Array.from({ length: steps }, (_, step) => pointOf(ring, (step / steps) * 2 * Math.PI));
  const [first, ...others] = points.map(({ x, y }) => [scaled(x), scaled(y)] as const);
  let [atX, atY] = first ?? [0, 0];
  const lines = others.map(([x, y]) => {
    const line = `l${x - atX} ${y - atY}`;
    [atX, atY] = [x, y];
    return line;
  });
  return `M${first?.join(' ')}${lines.join('')}z`;
}
