import { keyPlaceholder, type SampleFacts } from '@holdfast/contract/src/api-docs/fill-sample.ts';
import { useAccount } from '../../api/account/account.ts';

/** Contains only the prefix that all keys share, so that the key cannot be read over a shoulder. */
const maskedKey = 'hf_••••••••••••';

/** Values in the samples: `copied` contains the reader's full key, `shown` a masked one. */
export function useSampleFacts(): { readonly shown: SampleFacts; readonly copied: SampleFacts } {
  const { data: account } = useAccount();
  const { origin } = window.location;
  return {
    shown: { origin, key: account ? maskedKey : keyPlaceholder },
    copied: { origin, key: account?.info.api_key || keyPlaceholder },
  };
}
