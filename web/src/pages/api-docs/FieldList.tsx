import type { Field } from '@holdfast/contract/src/api-field-reference.ts';
import { Prose } from './Prose.tsx';

export interface FieldListProps {
  readonly title: string;
  readonly fields: readonly Field[];
  /** An answer always has its fields: only what is sent is required or not. */
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
