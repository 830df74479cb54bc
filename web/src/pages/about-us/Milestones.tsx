/** Spec section 1, the claims that can be counted. */
const milestones = [
  ['2015', 'the first files are uploaded'],
  ['Dec 2021', 'the service gets a new name'],
  ['100 million+', 'files served'],
  ['16+', 'the age it is meant for'],
] as const;

export function Milestones() {
  return (
    <section aria-label="In figures" className="border-b border-line bg-surface">
      <dl className="mx-auto grid max-w-[1200px] grid-cols-2 gap-y-8 px-4 py-8 sm:px-6 lg:grid-cols-4 lg:py-10">
        {milestones.map(([figure, what]) => (
          <div key={figure} className="flex flex-col-reverse justify-end border-l border-line pl-4 sm:pl-5">
            <dt className="mt-1 text-m text-muted">{what}</dt>
            <dd className="figures text-[20px] leading-7 font-medium tracking-[-0.03em] sm:text-[24px]">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
