import { planLevels, plans } from '@holdfast/contract/src/plans.ts';
import { formatCount, formatSize, formatSpeedLimit } from '../../lib/format.ts';

export function LimitsTable() {
  return (
    <table className="w-full border-y border-line text-left text-s text-ink sm:text-m">
      <thead className="text-muted">
        <tr>
          {['Plan', 'Largest file', 'Space', 'Files', 'Speed'].map((name) => (
            <th key={name} scope="col" className="py-2 pr-2 align-bottom font-normal last:pr-0 sm:pr-4">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="figures text-[12.5px] sm:text-s">
        {planLevels.map((level) => {
          const { name, maxFileSize, spaceQuota, slotsQuota, maxDownloadMbps } = plans[level];
          return (
            <tr key={level} className="border-t border-line">
              <th scope="row" className="py-2 pr-2 font-sans text-s font-medium sm:pr-4 sm:text-m">
                {name}
              </th>
              {[whole(maxFileSize), whole(spaceQuota), formatCount(slotsQuota), formatSpeedLimit(maxDownloadMbps)].map(
                (value) => (
                  <td key={value} className="py-2 pr-2 last:pr-0 sm:pr-4">
                    {value}
                  </td>
                ),
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Limits are round numbers. */
const whole = (bytes: number) => formatSize(bytes).replace('.00', '');
