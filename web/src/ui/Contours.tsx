import { clsx } from 'clsx';
import { chartSize, drawContours, placeSoundings } from '@holdfast/contract/src/contours.ts';

const contours = drawContours();
const soundings = placeSoundings();

export interface ContoursProps {
  readonly className?: string;
  readonly withSoundings?: boolean;
}

/** Around a short text in the middle of a positioned element. */
export function ContoursAround() {
  return (
    <div
      aria-hidden
      className="absolute inset-0 overflow-clip [mask:radial-gradient(320px_160px,#0000_55%,#000)_intersect,radial-gradient(closest-side,#000_65%,#0000)]"
    >
      <Contours className="absolute top-1/2 left-1/2 h-[880px] w-[1006px] max-w-none -translate-x-1/2 -translate-y-1/2" />
    </div>
  );
}

/** The site's only ornament: lines of equal depth. Position it behind content with a class. */
export function Contours({ className, withSoundings = true }: ContoursProps) {
  return (
    <svg
      viewBox={`0 0 ${chartSize.width} ${chartSize.height}`}
      aria-hidden
      preserveAspectRatio="xMidYMid slice"
      className={clsx('pointer-events-none overflow-visible text-sea select-none', className)}
    >
      <g fill="none" stroke="currentColor">
        {contours.map(({ path, heavy }) => (
          <path
            key={path}
            d={path}
            vectorEffect="non-scaling-stroke"
            strokeWidth={heavy ? 1.5 : 0.9}
            opacity={heavy ? 0.3 : 0.2}
          />
        ))}
      </g>
      <g
        fill="currentColor"
        fontSize="9"
        className="font-mono"
        opacity="0.9"
        textAnchor="middle"
        dominantBaseline="middle"
      >
        {(withSoundings ? soundings : []).map(({ x, y, depth }) => (
          <text key={depth} x={x} y={y}>
            {depth}
          </text>
        ))}
      </g>
    </svg>
  );
}
