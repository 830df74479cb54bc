import { PageTitle } from '../../ui/PageTitle.tsx';
import { FreeTypes } from './FreeTypes.tsx';
import { GoodToKnow } from './GoodToKnow.tsx';
import { LedBack } from './LedBack.tsx';
import { Plans } from './Plans.tsx';

export function PlanPricingPage() {
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 py-12 sm:px-6 md:py-16">
      <PageTitle tab="Pricing" className="text-title-l tracking-[-0.035em]">
        Pricing
      </PageTitle>
      <p className="mt-4 mb-8 max-w-[52ch] text-[18px] leading-7 text-muted">
        The API, resumable downloads and links without ads come with every plan. Paid plans add speed, room and any type
        of file.
      </p>
      <LedBack />
      <h2 className="sr-only">Plans</h2>
      <Plans />
      <GoodToKnow />
      <FreeTypes />
    </div>
  );
}
