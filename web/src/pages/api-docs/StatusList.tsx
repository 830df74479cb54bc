import type { StatusReference } from '@holdfast/contract/src/api-reference.ts';
import { Prose } from './Prose.tsx';

export interface StatusListProps {
  readonly title: string;
  readonly statuses: readonly StatusReference[];
}

export function StatusList({ title, statuses }: StatusListProps) {
  return (
    <div>
      <h3 className="border-b border-line pb-2 text-m font-semibold">{title}</h3>
      <ul>
        {statuses.map(({ status, code, text }) => (
          <li
            key={`${status} ${code} ${text}`}
            className="flex gap-4 border-b border-line py-2.5 last:border-b-0 print:break-inside-avoid"
          >
            <span className="w-8 shrink-0 figures text-s leading-5">{status}</span>
            <div className="min-w-0 text-m text-muted">
              {code !== '' && <code className="mb-0.5 block text-[13px] font-medium break-all text-ink">{code}</code>}
              <Prose text={text} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
