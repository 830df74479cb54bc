/** Depth contours of an imaginary seamount: closed rings, wider with depth. */
export interface Contour {
  readonly path: string;
  readonly heavy: boolean;
}

export interface Sounding {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
}

export const chartSize = { width: 640, height: 560 } as const;
export const ringCount = 13;
const steps = 144;

export function drawContours(): readonly Contour[] {
  return Array.from({ length: ringCount }, (_, ring) => ({ path: drawRing(ring), heavy: ring % 4 === 0 }));
}

/** Depths in meters, each midway between two lines. */
export function placeSoundings(): readonly Sounding[] {
  return soundings.map(([ring, angle, depth]) => ({ ...pointOf(ring + 0.5, angle), depth }));
}

const soundings = [
  [1, 5.2, 11],
  [2, 2.4, 18],
  [4, 0.7, 26],
  [5, 3.9, 35],
  [6, 6.1, 41],
  [8, 1.7, 52],
  [8, 4.9, 58],
] as const;

function drawRing(ring: number): string {
  const points = Array.from({ length: steps }, (_, step) => pointOf(ring, (step / steps) * 2 * Math.PI));
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}

export function pointOf(ring: number, angle: number): { x: number; y: number } {
  // The top of a seamount is rounder than its flanks.
  const rough = Math.min(1, (ring + 1.5) / 5);
  const waves =
    15 * Math.sin(3 * angle + ring * 0.35) + 9 * Math.sin(5 * angle - ring * 0.22) + 4 * Math.sin(8 * angle + ring);
  const radius = 40 + ring * 33 + rough * waves;
  return { x: 320 + radius * Math.cos(angle) * 1.15, y: 280 + radius * Math.sin(angle) * 0.84 };
}
