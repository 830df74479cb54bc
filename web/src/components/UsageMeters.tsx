import type { Account } from '@holdfast/contract/src/account.ts';
import { unlimited } from '@holdfast/contract/src/plans.ts';
import { formatCount, formatMegabytes, formatPercent, formatSpace, share } from '../lib/format.ts';
import { ProgressBar } from '../ui/ProgressBar.tsx';

export interface UsageMetersProps extends Pick<Account, 'usage' | 'limits'> {
  /** Adds the space in megabytes where it is shown in gigabytes. */
  readonly inMegabytes?: boolean;
}

/** Used space and files, side by side where there is room. */
export function UsageMeters({ usage, limits, inMegabytes = false }: UsageMetersProps) {
  return (
    <div className="@container">
      <dl className="grid gap-x-10 gap-y-6 @lg:grid-cols-2">
        <Meter
          name="Space used"
          used={usage.space_used}
          quota={limits.space_quota}
          format={formatSpace}
          precise={inMegabytes ? formatMegabytes : formatSpace}
          unit="space"
        />
        <Meter name="Files" used={usage.slots_used} quota={limits.slots_quota} format={formatCount} unit="slots" />
      </dl>
    </div>
  );
}

interface MeterProps {
  readonly name: string;
  readonly used: number;
  readonly quota: number;
  readonly format: (amount: number) => string;
  readonly precise?: (amount: number) => string;
  readonly unit: string;
}

function Meter({ name, used, quota, format, precise = format, unit }: MeterProps) {
  if (quota >= unlimited)
    return (
      <div>
        <dt className="text-s text-muted">{name}</dt>
        <Amount used={format(used)} rest={`of unlimited ${unit}`} />
      </div>
    );
  const part = share(used, quota);
  const isPrecise = precise(used) === format(used) && precise(quota) === format(quota);
  return (
    <div>
      <dt className="text-s text-muted">{name}</dt>
      <Amount used={format(used)} rest={unit === 'slots' ? `of ${format(quota)} slots` : `of ${format(quota)}`} />
      <dd className="mt-3">
        <ProgressBar
          height="tall"
          value={part}
          label={`${name}, part of the quota`}
          tone={part > 0.9 ? 'buoy' : 'sea'}
        />
      </dd>
      <dd className="mt-2 flex flex-wrap justify-between gap-x-4 text-s text-muted">
        <span>
          <span className="figures text-ink">{formatPercent(part)}</span> of quota used
        </span>
        {used <= quota && (
          <span>
            <span className="figures">{format(quota - used)}</span> left
          </span>
        )}
      </dd>
      {!isPrecise && (
        <dd className="figures text-s text-muted">
          {precise(used)} of {precise(quota)}
        </dd>
      )}
    </div>
  );
}

function Amount({ used, rest }: { readonly used: string; readonly rest: string }) {
  return (
    <dd className="mt-1 flex flex-wrap items-baseline gap-x-2">
      <span className="figures text-[22px] leading-7 font-medium tracking-[-0.03em]">{used}</span>
      <span className="figures text-s text-muted">{rest}</span>
    </dd>
  );
}
