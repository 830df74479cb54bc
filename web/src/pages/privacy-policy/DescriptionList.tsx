export type Entry = readonly [name: string, text: string];

export interface DescriptionListProps {
  readonly entries: readonly Entry[];
}

/** Terms with their descriptions, separated by hairlines. */
export function DescriptionList({ entries }: DescriptionListProps) {
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
