import { site } from '../../lib/site.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { Contours } from '../../ui/Contours.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ProductDemo } from './ProductDemo.tsx';

export function Hero() {
  return (
    <section className="relative overflow-clip border-b border-line">
      <Contours className="absolute top-1/2 left-1/2 hidden h-[860px] w-[max(980px,57vw)] max-w-none -translate-x-[12%] -translate-y-1/2 [mask-image:linear-gradient(to_right,transparent_8%,black_45%)] lg:block" />
      <div className="relative mx-auto grid max-w-[1200px] grid-cols-[minmax(0,1fr)] items-center gap-10 px-4 py-12 sm:px-6 md:py-20 lg:grid-cols-[minmax(0,1.02fr)_minmax(0,.98fr)] lg:gap-16 lg:py-28">
        <div>
          <PageTitle tab="Home" className="text-title-l tracking-[-0.035em]">
            A link that holds.
          </PageTitle>
          <p className="mt-5 mb-8 max-w-[46ch] text-[18px] leading-7 text-muted">
            Upload a file, get one public link, and keep it. Free uploads up to 500MB and free API access, with no
            compression, no watermark and no ads.
          </p>
          <div className="grid gap-3 sm:flex sm:flex-wrap">
            <ButtonLink to="/dashboard" variant="primary" size="l">
              Start Free Upload
            </ButtonLink>
            <ButtonLink to="/plan-pricing" size="l">
              Explore Premium Plans
            </ButtonLink>
            <ButtonLink to="/about-us" variant="quiet" size="l">
              Learn More<span className="sr-only"> about {site.name}</span>
            </ButtonLink>
          </div>
        </div>
        <ProductDemo />
      </div>
    </section>
  );
}
