export type Entry = readonly [name: string, text: string];

export interface NamedProps {
  readonly entries: readonly Entry[];
}

/** Things and what there is to say of each, ruled by hairlines. */
export function Named({ entries }: NamedProps) {
  return (
    <dl className="divide-y divide-line border-t border-line not-last:border-b">
      {entries.map(([name, text]) => (
        <div key={name} className="grid gap-x-6 py-3 sm:grid-cols-[168px_minmax(0,1fr)]">
          <dt className="font-medium">{name}</dt>
          <dd className="text-muted">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
