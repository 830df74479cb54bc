import { freeExtensions } from '@holdfast/contract/src/plans.ts';

export function FreeTypes() {
  return (
    <section aria-labelledby="free-types" className="mt-12">
      <h2 id="free-types" className="font-semibold">
        The {freeExtensions.size} file types that Free accepts
      </h2>
      <p className="mt-2 max-w-[90ch] font-mono text-s leading-6 text-muted">{[...freeExtensions].join(' ')}</p>
      <p className="mt-2 text-m text-muted">Every paid plan accepts any type.</p>
    </section>
  );
}
