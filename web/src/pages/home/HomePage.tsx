import { About } from './About.tsx';
import { Features } from './Features.tsx';
import { Hero } from './Hero.tsx';
import { Plans } from './Plans.tsx';
import { Uses } from './Uses.tsx';

export function HomePage() {
  return (
    <>
      <Hero />
      <Features />
      <Uses />
      <About />
      <Plans />
    </>
  );
}
