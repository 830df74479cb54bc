import { keyPlaceholder, type SampleFacts } from '@holdfast/contract/src/api-samples.ts';
import { useAccount } from '../../api/session.ts';

/** Keeps what every key starts with; the rest is nobody's business who looks over a shoulder. */
const maskedKey = 'hf_••••••••••••';

/** What fills the samples: `copied` has the reader's own key whole, `shown` has it masked. */
export function useSampleFacts(): { readonly shown: SampleFacts; readonly copied: SampleFacts } {
  const { data: account } = useAccount();
  const { origin } = window.location;
  return {
    shown: { origin, key: account ? maskedKey : keyPlaceholder },
    copied: { origin, key: account?.info.api_key || keyPlaceholder },
  };
}
