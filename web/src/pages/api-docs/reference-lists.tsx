import type { DocumentedField } from '@holdfast/contract/src/api-docs/field-reference.ts';
import type { StatusReference } from '@holdfast/contract/src/api-docs/reference.ts';
import { Prose } from '../../components/Prose.tsx';

export interface FieldListProps {
  readonly title: string;
  readonly fields: readonly DocumentedField[];
  /** Marks required fields. Only requests need it, because responses always contain all fields. */
  readonly marksRequired?: boolean;
}

export function FieldList({ title, fields, marksRequired = false }: FieldListProps) {
  return (
    <div>
      <h3 className="border-b border-line pb-2 text-m font-semibold">{title}</h3>
      <dl>
        {fields.map(({ name, type, isRequired, text }) => (
          <div key={name} className="border-b border-line py-2.5 last:border-b-0 print:break-inside-avoid">
            <dt className="flex flex-wrap items-baseline gap-x-2.5 text-s">
              <code className="text-[13px] font-medium break-all">{name}</code>
              <span className="text-muted">
                <Prose text={type} />
              </span>
              {marksRequired && isRequired && <span className="font-medium">required</span>}
            </dt>
            {text !== '' && (
              <dd className="mt-1 text-m text-muted">
                <Prose text={text} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  );
}

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
