import { Pricing } from '../../layouts/pricing/Pricing.tsx';

export function Plans() {
  return (
    <section aria-labelledby="plans" className="border-t border-line">
      <div className="mx-auto max-w-[1200px] px-4 py-16 sm:px-6 lg:py-24">
        <h2 id="plans" className="text-[32px] leading-10 font-semibold tracking-[-0.025em]">
          Pricing
        </h2>
        <p className="mt-3 mb-8 max-w-[56ch] text-[17px] leading-7 text-muted">
          Start free. Pay for faster downloads and more room once you need them; the API is part of every plan.
        </p>
        <Pricing />
      </div>
    </section>
  );
}
